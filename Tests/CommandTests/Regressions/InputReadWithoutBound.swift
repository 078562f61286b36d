import Foundation
import TestSupport
import Testing

@Suite("Regression: standard input and files were read into memory without a limit")
struct InputReadWithoutBound {
  @Test(
    "Every command refuses endless input, and leaves no temporary files",
    arguments: [
      "yes | dragboard add --stdin", "dragboard add --file /dev/zero",
      "yes | dragboard add --lines",
      "dragboard add --lines < /dev/zero",
      "dragboard drag --also a/b=@/dev/zero --as org.example.Notes --detach",
      "dragboard apply < /dev/zero", "yes '' | dragboard apply", "yes '#' | dragboard apply",
      "dragboard import - < /dev/zero",
    ])
  func endless(line: String) throws {
    let stage = try CommandStage()
    // If the defect returns, the limit on memory protects the machine.
    let result = try stage.shell("mkdir tmp; export TMPDIR=$PWD/tmp; ulimit -v 4194304; \(line)")
    #expect(result.status == .exited(77), "\(result.errors)")
    #expect(result.errors.contains(": too "), "\(result.errors)")
    #expect(result.errors.contains("(at most "), "\(result.errors)")
    #expect(try stage.rows() == [])
    #expect(try stage.lines("sessions") == [])
    #expect(try stage.shell("ls -A tmp").output == "")
  }

  @Test("100 MiB of standard input need little memory, and no visible temporary file")
  func memory() throws {
    let stage = try CommandStage()
    let (add, pipe) = try addReading("--stdin", on: stage)
    for _ in 0..<100 { try pipe.write(contentsOf: Data(count: 1 << 20)) }
    // The command has read everything except the content of the pipe, and waits for more.
    let status = try String(contentsOfFile: "/proc/\(add.id)/status", encoding: .utf8)
    let peak = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
    #expect(try #require(Int(peak.filter(\.isNumber))) < 64 << 10)
    #expect(try stage.shell("ls -A tmp").output == "")
    try pipe.close()
    #expect(add.waitForExit() == .exited(0))
    #expect(try stage.shell("dragboard get 0 | wc -c").output == "104857600\n")
  }

  @Test("Ctrl-C ends a command at once if it waits for input", arguments: ["--stdin", "--lines"])
  func interrupted(option: String) throws {
    let stage = try CommandStage()
    let (add, pipe) = try addReading(option, on: stage)
    try pipe.write(contentsOf: Data(repeating: UInt8(ascii: "\n"), count: 500_000))
    add.kill(SIGINT)
    #expect(add.waitForExit() == .exited(130))
    #expect(try stage.rows() == [])
    try pipe.close()
  }

  /// Starts `dragboard add`, whose standard input is the other end of a pipe.
  private func addReading(
    _ option: String, on stage: CommandStage
  ) throws -> (add: ChildProcess, pipe: FileHandle) {
    #expect(try stage.shell("mkdir tmp; mkfifo pipe").status == .exited(0))
    let script = "cd \"$1\"; TMPDIR=$PWD/tmp exec \"$0\" add \(option) --type a/b < pipe"
    let line = option == "--stdin" ? script : script.replacing(" --type a/b", with: "")
    let add = try ChildProcess(
      "bash", ["-c", line, try builtProduct("dragboard"), stage.folder.path],
      environment: stage.daemon.bus.environment)
    let path = stage.folder.appending(path: "pipe").path
    return (add, try FileHandle(opening: path, O_WRONLY))
  }
}
