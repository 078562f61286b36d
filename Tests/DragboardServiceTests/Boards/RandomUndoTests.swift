import BoardModel
import DBus
import DragboardInterface
import Foundation
import TestSupport
import Testing

@Suite("Undo and redo at random, through crashes")
struct RandomUndoTests {
  private static let maxSteps = 4

  private enum Edit: CaseIterable {
    case insert, move, delete, undo, redo

    var message: OutgoingMessage {
      switch self {
      case .insert: call(BoardInterface.insertText, 0, 1, "x")
      case .move: call(BoardInterface.moveRow, 0, 0, 0, 2)
      case .delete: call(BoardInterface.deleteRow, 0, 1)
      case .undo: call(BoardInterface.undo)
      case .redo: call(BoardInterface.redo)
      }
    }
  }

  /// A board with an unlimited history, and the number of steps that the daemon must retain.
  private struct Oracle {
    private(set) var rows: [String]
    private var past: [[String]] = [[]]
    private var future: [[String]] = []
    private var sure = UndoHistory(maxSteps: maxSteps, maxBytes: .max)

    /// Creates a board with these rows, which one edit added.
    init(_ rows: [String]) {
      self.rows = rows
      sure.record(bytes: 1)
    }

    /// Notes whether an edit was made; returns false if the daemon should have given a different
    /// answer.
    mutating func note(_ edit: Edit, isDone: Bool) -> Bool {
      switch edit {
      case .undo:
        guard isDone else { return sure.done.isEmpty }
        sure.undo(bytes: 1)
        return turn(from: \.past, to: \.future)
      case .redo:
        guard isDone else { return sure.undone.isEmpty }
        sure.redo(bytes: 1)
        return turn(from: \.future, to: \.past)
      case .insert, .move, .delete:
        let before = rows
        guard change(edit) else { return !isDone }
        past.append(before)
        future = []
        sure.record(bytes: 1)
        return isDone
      }
    }

    /// Moves the latest state from one list to the other; does nothing if the list is empty.
    private mutating func turn(
      from list: WritableKeyPath<Self, [[String]]>, to other: WritableKeyPath<Self, [[String]]>
    ) -> Bool {
      guard let state = self[keyPath: list].popLast() else { return false }
      self[keyPath: other].append(rows)
      rows = state
      return true
    }

    /// Makes an edit if the board has enough rows.
    private mutating func change(_ edit: Edit) -> Bool {
      switch edit {
      case .insert where rows.count >= 1: rows.insert("x", at: 1)
      case .move where rows.count >= 3: rows.insert(rows.removeFirst(), at: 2)
      case .delete where rows.count >= 2: rows.remove(at: 1)
      default: return false
      }
      return true
    }
  }

  @Test(
    "Undo and redo restore the earlier boards, with edits in any batches and crashes at any time",
    arguments: 0..<4)
  func random(seed: UInt64) throws {
    var numbers = SplitMix64(seed: seed)
    let daemon = try Daemon("--undo-steps", "\(Self.maxSteps)")
    let client = try daemon.client()
    try client.insert((0..<9).map { "\($0)" })
    var oracle = Oracle(try client.texts())
    for round in 0..<60 {
      let edits = (0..<Int.random(in: 1...8, using: &numbers)).map { _ in
        Edit.allCases.randomElement(using: &numbers) ?? .move
      }
      daemon.signal(SIGSTOP)
      let outstanding = client.send(edits.map(\.message))
      daemon.signal(SIGCONT)
      for (edit, answer) in zip(edits, outstanding.all()) {
        let isRight = oracle.note(edit, isDone: (try? answer.get()) != nil)
        #expect(isRight, "round \(round): \(edit) of \(edits)")
      }
      try #require(try client.texts() == oracle.rows, "round \(round): \(edits)")
      if Int.random(in: 0..<4, using: &numbers) == 0 {
        daemon.kill()
        try daemon.start()
      }
    }
  }
}
