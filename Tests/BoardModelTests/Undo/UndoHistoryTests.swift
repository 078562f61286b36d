import BoardModel
import Testing

@Suite("Edits that can be undone and redone")
struct UndoHistoryTests {
  private func recorded(_ sizes: Int..., maxSteps: Int = 100, maxBytes: Int = 1_000)
    -> (history: UndoHistory, forgotten: [UInt64])
  {
    var history = UndoHistory(maxSteps: maxSteps, maxBytes: maxBytes)
    sizes.forEach { history.record(bytes: $0) }
    let forgotten = history.takeForgottenNumbers()
    return (history, forgotten)
  }

  @Test("Steps are numbered, the latest is undone first, and an undone step can be redone")
  func order() {
    var (history, _) = recorded(1, 2, 3)
    #expect(history.done.map(\.number) == [1, 2, 3])
    history.undo(bytes: 30)
    history.undo(bytes: 20)
    #expect(history.done.map(\.number) == [1])
    #expect(history.undone.map(\.number) == [3, 2] && history.undone.map(\.bytes) == [30, 20])
    history.redo(bytes: 2)
    #expect(history.takeForgottenNumbers() == [])
    #expect(history.done.map(\.number) == [1, 2] && history.undone.map(\.number) == [3])
    #expect(history.bytes == 33)
  }

  @Test("An edit after an undo removes the steps that could be redone; numbers are not reused")
  func branch() {
    var (history, _) = recorded(1, 2, 3)
    history.undo(bytes: 3)
    history.undo(bytes: 2)
    history.record(bytes: 5)
    #expect(history.takeForgottenNumbers() == [3, 2])
    #expect(history.done.map(\.number) == [1, 4] && history.undone.isEmpty)
  }

  @Test("A fixed number of steps is retained, done and undone steps together")
  func count() {
    var history = UndoHistory(maxSteps: 100, maxBytes: 1_000)
    for _ in 1...100 { history.record(bytes: 1) }
    #expect(history.done.map(\.number) == Array(1...100))
    #expect(history.takeForgottenNumbers() == [])
    history.record(bytes: 1)
    #expect(history.takeForgottenNumbers() == [1])
    for _ in 0..<100 { history.undo(bytes: 1) }
    #expect(history.done.isEmpty && history.undone.count == 100)
    for _ in 0..<100 { history.redo(bytes: 1) }
    #expect(history.done.count == 100 && history.takeForgottenNumbers() == [])
  }

  @Test("If the steps are too large, the oldest are removed, never the latest")
  func bytes() {
    #expect(recorded(400, 400, 200, 100).forgotten == [1])
    #expect(recorded(400, 400, 700).forgotten == [1, 2])
    #expect(recorded(400, 5_000).forgotten == [1])
    #expect(recorded(400, 5_000).history.done.map(\.number) == [2])
  }

  @Test("If a step grows when it is undone, the most distant steps are removed")
  func growing() {
    var (history, _) = recorded(1, 1, 1, 1)
    history.undo(bytes: 998)
    #expect(history.takeForgottenNumbers() == [1])
    history.undo(bytes: 998)
    #expect(history.takeForgottenNumbers() == [4])
    #expect(history.done.map(\.number) == [2] && history.undone.map(\.number) == [3])
    history.redo(bytes: 1_000)
    #expect(history.takeForgottenNumbers() == [2])
    #expect(history.done.map(\.number) == [3])
  }

  @Test("Without steps, undo and redo do nothing")
  func empty() {
    var history = UndoHistory(maxSteps: 1, maxBytes: 1)
    history.undo(bytes: 1)
    history.redo(bytes: 1)
    #expect(history == UndoHistory(maxSteps: 1, maxBytes: 1))
  }

  @Test("A stored history continues from its position")
  func restored() {
    var (history, _) = recorded(1, 2, 3)
    history.undo(bytes: 3)
    var restored = UndoHistory(
      maxSteps: 100, maxBytes: 1_000, done: history.done, undone: history.undone)
    #expect(restored == history)
    restored.record(bytes: 1)
    #expect(restored.done.last?.number == 4)
  }
}

extension UndoHistory {
  /// Returns the numbers of the steps that were forgotten since the last call.
  mutating func takeForgottenNumbers() -> [UInt64] { takeForgotten().map(\.number) }
}
