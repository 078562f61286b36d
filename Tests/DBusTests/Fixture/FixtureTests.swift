import Files
import Foundation
import TestSupport
import Testing

@Suite("The fixture")
struct FixtureTests {
  @Test("The result of a command has its output and its status")
  func commands() throws {
    let result = try run(
      "sh", ["-c", "echo out; echo \"$WORD\" >&2; exit 3"],
      environment: ["WORD": "err", "PATH": "/usr/bin:/bin"])
    #expect(result.output == "out\n")
    #expect(result.errors == "err\n")
    #expect(result.status == .exited(3))
    #expect(throws: SystemError.self) { try run("/no/such/program", []) }
  }

  @Test("The lines of a child process can be read while it runs")
  func lines() throws {
    let child = try ChildProcess(
      "sh", ["-c", "echo one; printf three; echo two >&2; exec sleep 600"])
    #expect(child.nextLine() == "one")
    #expect(child.nextLine(of: .errors) == "two")
    #expect(child.status == nil)
    child.kill(SIGTERM)
    #expect(child.waitForExit() == .signalled(SIGTERM))
    #expect(child.text(of: .output).hasPrefix("one\nthree"))
    #expect(child.nextLine(of: .errors) == nil)
    child.kill(SIGTERM)
  }

  @Test("A private bus is separate, and leaves no files")
  func privateBus() throws {
    let first = try PrivateBus()
    let second = try PrivateBus()
    #expect(first.address != second.address)
    for variable in ["HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR"] {
      #expect(first.environment[variable]?.hasPrefix(first.home.path) == true)
    }
    #expect(first.environment["DBUS_SESSION_BUS_ADDRESS"] != nil)
    first.stop()
    first.stop()
    #expect(!FileManager.default.fileExists(atPath: first.home.path))
    let list = ["--session", "--dest=org.freedesktop.DBus", "--print-reply", "/", "x.y.Ping"]
    #expect(try run("dbus-send", list, environment: first.environment).errors.contains("connect"))
    #expect(FileManager.default.fileExists(atPath: second.home.path))
  }

  @Test("A product is found beside the tests, or reported as missing")
  func products() throws {
    let missing = #expect(throws: MissingProduct.self) { try builtProduct("no-such-product") }
    #expect(missing?.path.hasSuffix("/no-such-product") == true)
    let bundle = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    #expect(try builtProduct(URL(fileURLWithPath: bundle).lastPathComponent) == bundle)
  }

  @Test("The generator's numbers equal those of the reference")
  func generator() {
    var generator = SplitMix64(seed: 1_234_567)
    #expect(generator.next() == 6_457_827_717_110_365_317)
    #expect(generator.next() == 3_203_168_211_198_807_973)
  }
}
