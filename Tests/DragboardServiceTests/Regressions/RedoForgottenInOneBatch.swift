import DBus
import DragboardInterface
import Foundation
import SQLite
import TestSupport
import Testing

@testable import DragboardStore

@Suite("Regression: a batch of edits that removed a redo step ended the daemon")
struct RedoForgottenInOneBatch {
  private let daemon: Daemon
  private let client: BusClient

  /// Makes a board with two moves, whose history contains only these two steps.
  init() throws {
    daemon = try Daemon("--undo-steps", "3")
    client = try daemon.client()
    try client.insert(["a", "b", "c"])
    for call in Self.moves(2) { try client.wait(for: call) }
  }

  private static func moves(_ count: Int) -> [OutgoingMessage] {
    (0..<count).map { _ in call(BoardInterface.moveRow, 0, 0, 0, 2) }
  }

  /// Undoes the two moves and makes other moves in one batch; the undos are in the same batch or
  /// before it.
  private func undoAndMove(_ count: Int, inOneBatch isOne: Bool) throws {
    if !isOne { try client.undo(2) }
    let undos = isOne ? (0..<2).map { _ in call(BoardInterface.undo) } : []
    sendTogether(undos + Self.moves(count), by: client)
  }

  private func sendTogether(_ calls: [OutgoingMessage], by client: BusClient) {
    daemon.signal(SIGSTOP)
    let outstanding = client.send(calls)
    daemon.signal(SIGCONT)
    #expect(outstanding.errors().allSatisfy { $0 == "" })
  }

  @Test(
    "Enough edits to push the redo out of the history succeed, and can be undone",
    arguments: [false, true])
  func edits(inOneBatch isOne: Bool) throws {
    try undoAndMove(4, inOneBatch: isOne)
    #expect(try client.texts() == ["b", "c", "a"])
    try client.undo()
    #expect(try client.texts() == ["a", "b", "c"])
    try client.undo(2)
    expect(.nothingToUndo) { try client.undo() }
  }

  @Test("After a crash, removed steps cannot be redone", arguments: [false, true])
  func crash(inOneBatch isOne: Bool) throws {
    try undoAndMove(3, inOneBatch: isOne)
    daemon.kill()
    try daemon.start()
    let client = try daemon.client()
    #expect(try client.texts() == ["a", "b", "c"])
    expect(.nothingToRedo) { try client.redo() }
    try client.undo(3)
    #expect(try client.texts() == ["a", "b", "c"])
    // The history need not contain the insertion, and must not contain the undone moves.
    try? client.undo()
    #expect([["a", "b", "c"], []].contains(try client.texts()))
  }

  @Test("A database with wrong marks of undone steps does not end the daemon")
  func wrongOrder() throws {
    _ = daemon.terminate()
    do {
      let folder = daemon.bus.home.path + "/data/dragboard"
      let lock = try StoreLock(directory: folder, timeout: .seconds(5))
      let database = try Database(path: folder + "/boards.db", holding: lock)
      try database.execute(
        """
        DELETE FROM step WHERE id & 0xFFFF = 1; UPDATE step SET is_undone = 1 WHERE id & 0xFFFF = 2
        """)
    }
    try daemon.start()
    let client = try daemon.client()
    try client.redo()
    try client.undo(2)
    for _ in 0..<2 { try client.redo() }
    // The step that was redone last is the oldest one, so the next edit of the batch removes it
    // from the history.
    sendTogether(Self.moves(4), by: client)
    try client.undo(3)
    #expect(try client.get(BoardInterface.count) == 3)
  }
}
