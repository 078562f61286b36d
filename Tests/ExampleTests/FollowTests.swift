import DBus
import DragboardInterface
import Foundation
import TestSupport
import Testing

@Suite("The example that drops and follows the board")
struct FollowTests {
  let desk: Desk
  init() throws { desk = try Desk() }

  private func start(_ text: String) throws -> ChildProcess {
    try desk.start(try Language.python.program("follow"), text)
  }

  /// Returns the line that the example prints for the present state of the board.
  private func expectedLine() throws -> String {
    let (revision, sections) = try desk.client.call(BoardInterface.getSnapshot)
    let words = sections.map { section in
      "\(section.members.0) [\(section.members.1.map { "'\($0)'" }.joined(separator: ", "))]"
    }
    return (["revision \(revision):"] + words).joined(separator: " ")
  }

  /// Waits for a line with this beginning, and returns it.
  private func line(_ beginning: String, from follow: ChildProcess) throws -> String {
    while let line = follow.nextLine() {
      if line.hasPrefix(beginning) { return line }
    }
    follow.kill(SIGTERM)
    Issue.record("no line begins with \(beginning): \(follow.text(of: .errors))")
    return ""
  }

  /// Waits until the example prints the present state of the board.
  private func expectState(in follow: ChildProcess) throws {
    let state = try expectedLine()
    #expect(try line(state, from: follow) == state)
  }

  @Test("follow.py drops a text and a promised page, and applies every kind of change")
  func changes() throws {
    let client = desk.client
    let follow = try start("a & b")
    let drop = try line("drop: copy", from: follow)
    let row = try #require(try client.call(BoardInterface.getSnapshot).1.first?.members.1.first)
    #expect(drop == "drop: copy ['\(row)']")
    #expect(try client.call(BoardInterface.getText, row) == "a & b")
    #expect(
      try client.call(BoardInterface.getData, row, "text/html") == Array("<p>a &amp; b</p>".utf8))

    let more = try client.call(BoardInterface.insertTexts, 0, 0, ["c", "d", "e"])
    _ = try client.call(BoardInterface.moveRow, 0, 0, 0, 2)
    _ = try client.call(BoardInterface.setText, more[0], "f")
    _ = try client.call(BoardInterface.insertSection, "later", 0)
    _ = try client.call(BoardInterface.moveItems, [more[1]], 0, -1)
    _ = try client.call(BoardInterface.moveSection, 0, 1)
    _ = try client.call(BoardInterface.renameSection, 1, "now")
    try expectState(in: follow)
    _ = try client.call(BoardInterface.deleteSection, 1)
    try expectState(in: follow)
  }

  @Test("follow.py reads the board again after a reset")
  func reset() throws {
    let follow = try start("a")
    _ = try line("drop: copy", from: follow)
    let texts = (0...10_000).map { "\($0)" }
    _ = try desk.client.call(BoardInterface.insertTexts, 0, 0, texts)
    try expectState(in: follow)
  }

  @Test("follow.py reads the changes that it has missed when the daemon restarts")
  func missed() throws {
    let follow = try start("a")
    _ = try line("drop: copy", from: follow)
    follow.kill(SIGSTOP)
    _ = try desk.client.call(BoardInterface.insertText, 0, 0, "b")
    desk.daemon.kill()
    try desk.daemon.start()
    _ = try desk.client.call(BoardInterface.insertText, 0, 0, "c")
    follow.kill(SIGCONT)
    try expectState(in: follow)
    follow.kill(SIGTERM)
    #expect(follow.text(of: .errors) == "")
  }

  @Test("A restart of the daemon during the drop of follow.py leaves one row")
  func restart() throws {
    // The page is larger than a pipe, so the daemon is likely to end during the load.
    let text = String(repeating: "&", count: 100_000)
    let follow = try start(text)
    _ = desk.client.next("DropPending")
    desk.daemon.kill()
    try desk.daemon.start()
    _ = try line("drop: ", from: follow)
    #expect(try desk.client.get(BoardInterface.count) == 1)
    #expect(try desk.client.call(BoardInterface.getTexts, 0, 0, 10) == [text])
  }

  @Test("follow.py cancels its drag if the board forbids the drop")
  func forbidden() throws {
    try desk.client.call(BoardInterface.setAcceptedTypes, ["image/*"])
    let follow = try start("a")
    #expect(try line("drop: ", from: follow) == "drop: forbidden []")
    #expect(try desk.client.get(ManagerInterface.sessions, at: Dragboard.root).isEmpty)
  }

  @Test("Without an argument, or without a bus, follow.py reports an error")
  func misuse() throws {
    let program = try Language.python.program("follow")
    let usage = try run(program, [])
    #expect(usage.status == .exited(1))
    #expect(usage.errors.contains("usage: follow"))
    var environment = desk.daemon.bus.environment
    environment["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=/nonexistent"
    let noBus = try run(program, ["a"], environment: environment)
    #expect(noBus.status == .exited(1))
    #expect(noBus.errors.hasPrefix("follow.py: "))
    #expect(!noBus.errors.contains("Traceback"))
  }
}
