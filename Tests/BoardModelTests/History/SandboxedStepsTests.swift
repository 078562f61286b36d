import BoardModel
import TestSupport
import Testing

@Suite("The share of a sandbox in the steps of a board")
struct SandboxedStepsTests {
  /// A board with a history, whose stored steps are in memory.
  private final class Scene {
    var board = Board()
    var history: EditHistory
    private var stored: [UInt64: EditHistory.EncodedStep] = [:]
    private var infos: [UInt64: StepInfo] = [:]

    init(maxSteps: Int = 8, maxBytes: Int = .max) {
      history = EditHistory(maxSteps: maxSteps, maxBytes: maxBytes, stored: [], after: 1)
    }

    func edit(by sandbox: String? = nil, _ body: (inout Board) throws -> Revision?) throws {
      guard let revision = try body(&board) else { return }
      history.record(
        revision, of: &board, by: sandbox, keeping: [], measuring: { $0.count * 1_000 },
        reading: { [stored] in stored[$0] })
    }

    func save() {
      let changes = history.takeUnsavedChanges()
      for numbers in changes.deletedSteps { for number in numbers { infos[number] = nil } }
      for number in changes.forgottenSteps { infos[number] = nil }
      for step in changes.steps {
        (stored[step.info.number], infos[step.info.number]) = (step.content, step.info)
      }
    }

    /// Restores the history from the stored steps.
    func restart(maxSteps: Int = 8) {
      save()
      history = EditHistory(
        maxSteps: maxSteps, maxBytes: .max, stored: infos.values.sorted { $0.number < $1.number },
        after: 1)
    }

    /// Undoes the latest edit; returns false if no edit is left.
    func undo() throws -> Bool {
      while let number = history.numberToUndo {
        let step = try #require(history.unsavedStep(number) ?? stored[number])
        let (fitting, unrecorded): (UndoStep?, EditHistory.Unrecorded?) =
          step.step.hasOthers ? try step.step.withoutOthers(on: board) : (step.step, nil)
        let read = { [stored] (number: UInt64) in stored[number] }
        guard let fitting else {
          history.forgetNextUndo(unrecorded, of: board, reading: read)
          continue
        }
        let revision = try board.apply(fitting)
        history.record(revision, of: &board, as: .undo, keeping: [], measuring: { _ in 0 })
        if let unrecorded { history.precedeUndo(by: unrecorded, board, reading: read) }
        return true
      }
      return false
    }
  }

  @Test("A sandbox's edits drop the sandbox's oldest steps, and no step of the user")
  func share() throws {
    let scene = Scene()
    for number in 1...6 as ClosedRange<UInt64> {
      try scene.edit { try $0.insert(rows(number), at: at(0, 0), maxRows: .max) }
    }
    for number in 100..<150 as Range<UInt64> {
      try scene.edit(by: "a") { try $0.insert(rows(number), at: at(0, 3), maxRows: .max) }
    }
    for count in (0..<6).reversed() {
      #expect(try scene.undo())
      if count == 5 { #expect(try scene.undo() && scene.undo()) }
      #expect(scene.board.order[0].filter { $0.rawValue < 100 }.count == count)
    }
    #expect(try !scene.undo())
    #expect(scene.board.count == 48)
  }

  @Test("A step that exceeds the share of its sandbox alone is dropped, and the user's step stays")
  func bytes() throws {
    let scene = Scene(maxSteps: 100, maxBytes: 40_000)
    try scene.edit { try $0.insert(rows(1), at: at(0, 0), maxRows: .max) }
    for start in [100, 200] as [UInt64] {
      try scene.edit(by: "a") {
        try $0.insert(rows(start..<start + 30), at: at(0, 0), maxRows: .max)
      }
      try scene.edit(by: "a") { try $0.delete(rows(start..<start + 30)) }
    }
    #expect(try scene.undo())
    #expect(scene.board.order[0] == [])
    #expect(try !scene.undo())
  }

  @Test(
    "Beside random edits of two sandboxes, undo leads the user's rows through their earlier orders",
    arguments: 0..<60 as Range<UInt64>)
  func random(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let scene = Scene()
    /// The orders of the user's rows, before each of the user's edits that can be undone.
    var past: [[RowID]] = []
    var next: UInt64 = 1
    var owners: [RowID: String] = [:]
    func own(_ sandbox: String?) -> [RowID] {
      scene.board.order[0].filter { owners[$0] == sandbox }
    }
    for _ in 0..<250 {
      let sandbox = [nil, nil, "a", "b", "b"].randomElement(using: &random) ?? nil
      let mine = own(sandbox)
      let before = own(nil)
      let revision = scene.board.revision
      let place = at(0, Int.random(in: 0...scene.board.count, using: &random))
      let row = mine.randomElement(using: &random)
      let kind = Int.random(in: 0..<(sandbox == nil ? 4 : 8), using: &random)
      try scene.edit(by: sandbox) { board in
        switch (kind, row) {
        case (0, let row?), (4, let row?): return try board.delete([row])
        case (1, let row?), (5, let row?): return try board.move([row], toSection: 0, row: 0)
        case (6, let row?): return try board.setFlags(.isPinned, to: true, of: row)
        case (7, let row?): return try board.reload(row)
        default:
          let new = rows(next..<next + UInt64.random(in: 1...3, using: &random))
          next += UInt64(new.count)
          for row in new { owners[row] = sandbox }
          return try board.insert(new, at: place, maxRows: .max)
        }
      }
      if sandbox == nil, scene.board.revision > revision { past.append(before) }
      if Int.random(in: 0..<4, using: &random) == 0 { scene.save() }
      if Int.random(in: 0..<40, using: &random) == 0 { scene.restart() }
    }
    var order = own(nil)
    var count = 0
    while try scene.undo() {
      let now = own(nil)
      if now == order { continue }
      #expect(now == past.removeLast())
      (order, count) = (now, count + 1)
    }
    #expect(count >= 2)
  }

  @Test("Thousands of edits of a sandbox at many positions leave the user's steps")
  func manyEdits() throws {
    let scene = Scene()
    try scene.edit { try $0.insert(rows(1..<9), at: at(0, 0), maxRows: .max) }
    try scene.edit { try $0.move(rows(8), toSection: 0, row: 0) }
    try scene.edit { try $0.delete(rows(4)) }
    for number in 0..<3_000 as Range<UInt64> {
      let row = RowID(100 + number)
      try scene.edit(by: "a") {
        try $0.insert([row], at: at(0, Int(number) % $0.count), maxRows: .max)
      }
      try scene.edit(by: "a") { try $0.move([row], toSection: 0, row: nil) }
      if number % 3 > 0 { try scene.edit(by: "a") { try $0.delete([row]) } }
    }
    func user() -> [RowID] { scene.board.order[0].filter { $0.rawValue < 100 } }
    for _ in 0..<2 { #expect(try scene.undo()) }
    #expect(try scene.undo())
    #expect(user() == rows(8, 1, 2, 3, 4, 5, 6, 7))
    #expect(try scene.undo())
    #expect(user() == rows(1, 2, 3, 4, 5, 6, 7, 8))
    #expect(try scene.undo())
    #expect(user() == [])
  }
}
