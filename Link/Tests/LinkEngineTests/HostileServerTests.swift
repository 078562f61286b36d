import Foundation
import TestSupport
import Testing

@Suite("A server that announces a very large message")
struct HostileServerTests {
  private let link = "dragboard-link"

  /// Greets a client, and announces a message of 1 GiB; the argument is a file with a line for each
  /// connection.
  private static let program = #"""
    echo connection >>"$1"
    printf 'INFO {"server_id":"x","version":"2.9.10","proto":1,"headers":true,"max_payload":1048576}\r\n'
    read -r connect
    read -r ping
    printf 'PONG\r\nMSG x 1 1073741824\r\n'
    exec head -c 1073741824 /dev/zero
    """#

  private func startProxy(_ port: UInt16, to target: String) throws -> TestProgram {
    try TestProgram(
      [
        "socat", "-lf", "/dev/null", "TCP-LISTEN:\(port),bind=127.0.0.1,fork,reuseaddr", target,
      ], ProcessInfo.processInfo.environment)
  }

  /// The maximum resident memory of a process up to now, in bytes.
  private func peakMemory(of process: ChildProcess) throws -> Int {
    let status = try String(contentsOfFile: "/proc/\(process.id)/status", encoding: .utf8)
    let size = try #require(status.firstMatch(of: /VmHWM:\s+(\d+) kB/)?.1)
    return (Int(size) ?? .max) << 10
  }

  @Test("The link refuses the message, needs no memory for it, and loses no edit")
  func largeMessage() async throws {
    let server = try await TestServer()
    let folder = try TestFolder()
    let (anna, bert) = (try CommandMachine(), try CommandMachine())
    let port = try freePort()
    try anna.beginGroup(on: server, as: "anna")
    try anna.admit(bert, as: "bert")
    try anna.share("errands")

    let script = "\(folder.path)/hostile"
    try Self.program.write(toFile: script, atomically: false, encoding: .utf8)
    let hostile = try startProxy(port, to: "SYSTEM:bash \(script) \(folder.path)/connections")
    try anna.useServer("nats://127.0.0.1:\(port)")
    let service = try anna.startService()
    #expect(try anna.run("dragboard", "add", "--board", "errands", "row").status == 0)
    try await eventually("the link connects again after the message", seconds: 60) {
      let text = try? String(contentsOfFile: "\(folder.path)/connections", encoding: .utf8)
      return (text?.split(separator: "\n").count ?? 0) >= 3
    }
    #expect(try peakMemory(of: service) < 256 << 20)

    hostile.kill()
    let relay = try startProxy(port, to: "TCP:127.0.0.1:\(server.port)")
    defer { relay.kill() }
    try bert.startService()
    try await eventually("the row is on the other machine", seconds: 60) {
      try bert.run("dragboard", "list", "--board", "errands").text.contains("row")
    }
    #expect(try peakMemory(of: service) < 256 << 20)
  }
}
