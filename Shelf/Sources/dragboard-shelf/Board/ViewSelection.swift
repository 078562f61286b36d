import DragboardClient

/// The selection as a view on the daemon keeps it: by the rules that every client's views have.
final class ViewSelection {
  private let board: Board
  private var view: BoardView?
  /// What is to be selected once there is a view again.
  private var latest: [ItemID] = []

  /// The selection of a board, of which there is no view yet.
  init(_ board: Board) { self.board = board }

  /// Opens a view, and selects in it what was selected in the one before.
  func open() async throws(DragboardError) {
    let view = try await board.openView()
    try await view.setAllowsMultipleSelection(true)
    self.view = view
    // What has gone meanwhile is not there to be selected.
    if !latest.isEmpty { try? await view.select(latest) }
  }

  /// The daemon has left, and the view with it.
  func lose() { view = nil }

  /// Selects rows.
  func select(_ items: [ItemID]) async throws(DragboardError) {
    latest = items
    try await view?.select(items)
  }

  /// What is selected after selected rows were deleted: those that are left, or the one in their place.
  func afterDeletion() async throws(DragboardError) -> [ItemID] {
    guard let view else { return [] }
    let left = try await view.info().selection
    let one = left.isEmpty ? try await view.reselect() : nil
    latest = one.map { [$0] } ?? left
    return latest
  }

  /// Enters edit mode, or leaves it and selects what is in the place of what was selected before; gives what is selected then.
  func setEditing(_ isEditing: Bool) async throws(DragboardError) -> [ItemID] {
    guard let view else { return [] }
    try await view.setEditing(isEditing)
    latest = isEditing ? [] : try await view.reselect().map { [$0] } ?? []
    return latest
  }
}
