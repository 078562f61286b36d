import BoardModel
import TestSupport
import Testing

@Suite("Random views, compared with a view on plain arrays")
struct RandomViewTests {
  @Test(
    "The selection, the pending row and the reselected row are the same",
    arguments: 1...5 as ClosedRange)
  func views(seed: UInt64) throws {
    var edits = EditSource(seed: seed)
    var scene = ViewScene(Board())
    var (board, naive) = (NaiveBoard(), NaiveView())
    var history: [NaiveBoard] = []
    for _ in 0..<2_500 {
      if Bool.random(using: &edits.random) {
        let before = board
        if Int.random(in: 0..<5, using: &edits.random) == 0 {
          guard let revision = try scene.undo(), let goal = history.popLast() else { continue }
          board = goal
          naive.follow(revision, to: board)
        } else {
          let edit = edits.nextWithArrangements(for: board)
          guard let revision = try? scene.perform(edit) else { continue }
          _ = try board.perform(edit)
          history.append(before)
          naive.follow(revision, to: board)
        }
        board.revision = scene.board.revision
      } else {
        try act(&scene, &naive, board, &edits.random)
      }
      try #require(scene.view.selection == naive.selection)
      try #require(scene.view.pending(on: scene.board) == naive.pending?.nearest)
      try #require(scene.view.isEditing == naive.isEditing)
    }
  }

  private func act(
    _ scene: inout ViewScene, _ naive: inout NaiveView, _ board: NaiveBoard,
    _ random: inout SplitMix64
  ) throws {
    switch Int.random(in: 0..<20, using: &random) {
    case 0...1:
      let isEditing = Bool.random(using: &random)
      scene.view.setEditing(isEditing)
      naive.setEditing(isEditing)
    case 2...3:
      let allows = Int.random(in: 0..<4, using: &random) > 0
      scene.view.setAllowsMultipleSelection(allows, on: scene.board)
      naive.setAllowsMultiple(allows, board)
    case 4:
      scene.view.deselect()
      naive.deselect()
    case 5...8:
      #expect(scene.view.setReselect(on: scene.board) == naive.setReselect(board))
    case 9...11:
      let row = try? scene.view.commit(on: scene.board)
      #expect(row == naive.commit(board))
    case 12...14:
      let row = try? scene.view.reselect(on: scene.board)
      #expect(row == naive.reselect(board))
    default:
      let count = Int.random(in: 0..<5, using: &random)
      let rows = count == 0 ? [] : Array(board.all.shuffled(using: &random).prefix(count))
      try? scene.view.select(rows, on: scene.board)
      naive.select(rows, board)
    }
  }
}
