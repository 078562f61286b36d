import BoardModel

/// A board and a view that follows it.
struct ViewScene {
  private(set) var board: Board
  var view = ViewState()
  private var steps: [UndoStep] = []

  init(_ board: Board) { self.board = board }

  /// Performs an event of a view.
  mutating func perform(_ action: ViewAction) throws {
    switch action {
    case .editing(let isEditing): view.setEditing(isEditing)
    case .edits(let edits): for edit in edits { _ = try perform(edit) }
    }
  }

  /// Makes an edit, which the view follows.
  mutating func perform(_ edit: Edit) throws -> Revision? {
    guard let revision = try board.perform(edit) else { return nil }
    steps.append(try board.latestStep())
    view.follow(revision, on: board)
    return revision
  }

  /// Undoes the latest edit that was not undone; returns nil if there is none.
  @discardableResult
  mutating func undo() throws -> Revision? {
    guard let step = steps.popLast() else { return nil }
    let revision = try board.apply(step)
    view.follow(revision, on: board)
    return revision
  }
}

/// An event of a view, as a value.
enum ViewAction {
  case editing(Bool)
  case edits([Edit])
}
