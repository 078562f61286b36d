import BoardModel
import TestSupport
import Testing

@Suite("The contents of rows, kept by the numbers of steps")
struct UndoContentTests {
  @Test(
    "A content is retained exactly as long as a step needs it",
    arguments: [(1, 100), (2, 5), (3, 1), (4, 20)])
  func kept(seed: UInt64, maxSteps: Int) throws {
    var keeper = ContentKeeper(seed: seed, maxSteps: maxSteps)
    var maxKept = 0
    for _ in 0..<1_200 {
      switch Int.random(in: 0..<10, using: &keeper.edits.random) {
      case 0...1: try keeper.undo()
      case 2: try keeper.redo()
      default: try keeper.edit()
      }
      try #require(keeper.texts.keys.sorted() == keeper.neededRows)
      maxKept = max(maxKept, keeper.texts.count - keeper.naive.all.count)
    }
    #expect(maxKept > 10)
  }
}

/// A store of one text for each row; it deletes texts as soon as no step needs them.
private struct ContentKeeper {
  var edits: EditSource
  var naive = NaiveBoard()

  /// The texts of the rows on the board and of the rows in undo steps.
  private(set) var texts: [RowID: String] = [:]

  private var board = Board()
  private var history: UndoHistory
  private var steps: [UInt64: Step] = [:]
  private var lastText = 0

  private struct Step {
    var step: UndoStep
    var goal: NaiveBoard
    /// The texts of the rows on the board after the step.
    var otherTexts: [RowID: String] = [:]
    /// The texts of the rows of the board before the edit.
    var goalTexts: [RowID: String]
  }

  init(seed: UInt64, maxSteps: Int) {
    edits = EditSource(seed: seed)
    history = UndoHistory(maxSteps: maxSteps, maxBytes: .max)
  }

  var neededRows: [RowID] {
    (naive.all + steps.values.flatMap(\.step.returningRows)).sorted()
  }

  private var shownTexts: [RowID: String] { texts.filter { board.contains($0.key) } }

  private mutating func newText() -> String {
    lastText += 1
    return "text \(lastText)"
  }

  mutating func edit() throws {
    let edit = edits.nextWithArrangements(for: naive)
    let (before, textsBefore) = (naive, shownTexts)
    guard (try? board.perform(edit)) != nil else { return }
    _ = try naive.perform(edit)
    var step = Step(step: try board.latestStep(), goal: before, goalTexts: textsBefore)
    for row in step.step.rowsWithOtherContent {
      step.otherTexts[row] = texts.updateValue(newText(), forKey: row)
    }
    for row in naive.all where texts[row] == nil { texts[row] = newText() }
    history.record(bytes: 1)
    steps[try #require(history.done.last?.number)] = step
    forget(history.takeForgottenNumbers())
  }

  mutating func undo() throws {
    guard let number = history.done.last?.number else { return }
    try take(number)
    history.undo(bytes: 1)
    forget(history.takeForgottenNumbers())
  }

  mutating func redo() throws {
    guard let number = history.undone.last?.number else { return }
    try take(number)
    history.redo(bytes: 1)
    forget(history.takeForgottenNumbers())
  }

  private mutating func take(_ number: UInt64) throws {
    var step = try #require(steps[number])
    let (before, textsBefore) = (naive, shownTexts)
    _ = try board.apply(step.step)
    naive = step.goal
    naive.revision = board.revision
    for row in step.step.rowsWithOtherContent {
      let other = try #require(step.otherTexts[row])
      step.otherTexts[row] = texts.updateValue(other, forKey: row)
    }
    try #require(shownTexts == step.goalTexts)
    (step.step, step.goal, step.goalTexts) = (try board.latestStep(), before, textsBefore)
    steps[number] = step
  }

  private mutating func forget(_ numbers: [UInt64]) {
    for number in numbers {
      for row in steps.removeValue(forKey: number)?.step.returningRows ?? [] { texts[row] = nil }
    }
  }
}
