import DragboardClient

/// The selection in a view of the daemon.
///
/// The selection is in the daemon, so that all clients have the same selection rules.
final class ViewSelection {
  private let board: Board
  private var view: BoardView?
  /// The rows to select when the view is opened again.
  private var latest: [ItemID] = []

  /// Creates the selection of a board without a view.
  init(_ board: Board) { self.board = board }

  /// Opens a view, and selects the rows that were selected in the previous view.
  func open() async throws(DragboardError) {
    let view = try await board.openView()
    try await view.setAllowsMultipleSelection(true)
    self.view = view
    // Rows that were deleted cannot be selected, which is not an error.
    if !latest.isEmpty { try? await view.select(latest) }
  }

  /// Discards the view, which has ended with the daemon.
  func lose() { view = nil }

  /// Closes the view, which would otherwise stay open until the shelf exits.
  ///
  /// The view has ended already if its board was deleted or the daemon has exited.
  func close() async {
    try? await view?.close()
    view = nil
  }

  /// Selects rows.
  func select(_ items: [ItemID]) async throws(DragboardError) {
    latest = items
    try await view?.select(items)
  }

  /// Returns the selection after selected rows were deleted.
  ///
  /// It consists of the remaining selected rows, or else of the row that is now at their position.
  func afterDeletion() async throws(DragboardError) -> [ItemID] {
    guard let view else { return [] }
    let left = try await view.info().selection
    let one = left.isEmpty ? try await view.reselect() : nil
    latest = one.map { [$0] } ?? left
    return latest
  }
}
