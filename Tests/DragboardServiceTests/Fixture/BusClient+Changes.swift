import DBus
import DragboardInterface
import TestSupport

extension WireChange {
  /// The kind, the id or the name of the section, from section, from row, to section, to row.
  var members: (String, String, UInt32, UInt32, UInt32, UInt32) {
    (
      kind.rawValue, subject, UInt32(from.section), UInt32(from.row), UInt32(to.section),
      UInt32(to.row)
    )
  }
}

/// Returns changes in the form in which tests compare them: `move ID 0.1 0.2`.
func words(of changes: [WireChange]) -> [String] {
  changes.map { change in
    let (kind, id, fromSection, fromRow, toSection, toRow) = change.members
    return "\(kind) \(id) \(fromSection).\(fromRow) \(toSection).\(toRow)"
  }
}

/// The common calls of tests for revisions and changes.
extension BusClient {
  /// The arguments of a Changed signal.
  struct ToldRevision {
    let from: UInt64
    let to: UInt64
    let changes: [WireChange]
  }

  /// Takes every Changed signal that has arrived; drops other signals.
  func takeRevisions() throws -> [ToldRevision] {
    try takeSignals().filter { $0.member == "Changed" }.map { signal in
      let (from, to, changes) = try signal.message.arguments(
        as: UInt64.self, UInt64.self, [WireChange].self)
      return ToldRevision(from: from, to: to, changes: changes)
    }
  }

  /// Returns a copy of the board.
  func replica(of board: ObjectPath = BusClient.board) throws(DBusError) -> Replica {
    Replica(try call(BoardInterface.getSnapshot, at: board))
  }

  /// Makes an edit, also by a drop, and waits for the reply; returns the error if the edit is
  /// refused.
  @discardableResult
  func make(_ edit: Edit) -> DBusError? {
    do {
      let reply = try wait(for: edit.message())
      guard edit.isDrop, let drop = edit.drop(of: try reply.arguments(as: ObjectPath.self)) else {
        return nil
      }
      try wait(for: drop)
    } catch { return error }
    return nil
  }

  /// Undoes `count` edits.
  func undo(_ count: Int = 1) throws {
    for answer in answers(
      to: (0..<count).map { _ in DragboardServiceTests.call(BoardInterface.undo) })
    { _ = try answer.get() }
  }

  /// Redoes `count` edits.
  func redo(_ count: Int = 1) throws {
    for answer in answers(
      to: (0..<count).map { _ in DragboardServiceTests.call(BoardInterface.redo) })
    { _ = try answer.get() }
  }
}
