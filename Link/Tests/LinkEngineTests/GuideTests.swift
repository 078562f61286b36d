import Foundation
import TestSupport
import Testing

/// A terminal in which a test types commands.
private final class TypedTerminal: Sendable {
  private let shell: TestProgram
  private let log: String

  init(_ environment: [String: String], in folder: String, log: String) throws {
    self.log = log
    shell = try TestProgram(
      ["--chdir=\(folder)", "bash", "-c", "exec bash >\"$1\" 2>&1", "bash", log], environment,
      hasInput: true)
  }

  var text: String {
    String(decoding: FileManager.default.contents(atPath: log) ?? Data(), as: UTF8.self)
  }

  /// Types commands, and waits until the last command has ended.
  func type(_ commands: String) async throws {
    let mark = "typed-\(UUID().uuidString)"
    try shell.send("\(commands)\necho \(mark)")
    try await eventually("the end of \(commands): \(text)") { self.text.contains("\(mark)\n") }
  }

  /// Types the last commands, which end the shell.
  func typeLast(_ commands: String) async throws {
    try shell.send(commands)
    shell.closeInput()
    try await eventually("the end of the shell: \(text)") { !self.shell.isRunning }
  }
}

@Suite("docs/shared-boards.md")
struct GuideTests {
  private let root = URL(filePath: #filePath).appending(path: "../../../..").standardized.path

  /// The blocks of commands of the example on one machine.
  private func blocks() throws -> [String] {
    let text = try String(contentsOfFile: "\(root)/docs/shared-boards.md", encoding: .utf8)
    let section = try #require(
      text.components(separatedBy: "\n### ").first { $0.hasPrefix("Try it on one machine\n") })
    let parts = section.components(separatedBy: "```")
    return stride(from: 1, to: parts.count, by: 2).map { String(parts[$0].dropFirst("sh\n".count)) }
  }

  /// A home directory in which the daemon is installed.
  private func environment(in home: String) throws -> [String: String] {
    let products =
      ProcessInfo.processInfo.environment["DRAGBOARD_TEST_PRODUCTS"] ?? "\(root)/.build/debug"
    let services = "\(home)/.local/share/dbus-1/services"
    try FileManager.default.createDirectory(atPath: services, withIntermediateDirectories: true)
    let name = "org.dragboard.Dragboard1"
    try Data("[D-BUS Service]\nName=\(name)\nExec=\(products)/dragboardd\n".utf8)
      .write(to: URL(filePath: "\(services)/\(name).service"))
    return ["HOME": home, "PATH": "\(products):/usr/bin:/bin", "LC_ALL": "C.UTF-8"]
  }

  @Test("The shortest path leads to a board that two buses share")
  func shortestPath() async throws {
    let folder = try TestFolder()
    let environment = try environment(in: folder.path)
    let port = try freePort()
    let blocks = try blocks().map { $0.replacing("4333", with: "\(port)") }
    try #require(blocks.count == 10)
    #expect(blocks[0] == "sudo apt install nats-server\n")

    let first = try TypedTerminal(environment, in: folder.path, log: folder.path + "/first")
    try await first.type(blocks[1])
    // A reader of the page types the next commands more slowly than this test.
    try await eventually("the server is ready") {
      FileManager.default.contents(atPath: folder.path + "/demo/log")
        .map { String(decoding: $0, as: UTF8.self).contains("Server is ready") } == true
    }
    try await first.type(blocks[2])
    let second = try TypedTerminal(environment, in: folder.path, log: folder.path + "/second")
    try await second.type(blocks[3])
    try await second.type(blocks[4])
    // The command fails until the board has arrived.
    let list = "dragboard list --board errands 2>/dev/null"
    try await eventually("the row of anna is on bert: \(second.text)") {
      try await second.type(list)
      return second.text.contains("Buy stamps")
    }
    try await second.type(blocks[5])
    #expect(second.text.contains("member   anna\nmember   bert\n"))
    try await eventually("the row of bert is on anna: \(first.text)") {
      try await first.type(list)
      return first.text.contains("Call the garage")
    }
    async let drag: Void = first.type(blocks[6])
    try await second.type(blocks[7])
    try await drag
    #expect(first.text.contains("copied 1 item"))
    #expect(second.text.contains(/\d\d:\d\d:\d\d UTC/))
    for terminal in [first, second] {
      #expect(!terminal.text.contains("\nError: "), "\(terminal.text)")
    }

    try await second.typeLast(blocks[8] + "exit\n")
    try await first.type(blocks[8])
    try await first.typeLast(blocks[9])
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/demo"))
  }
}
