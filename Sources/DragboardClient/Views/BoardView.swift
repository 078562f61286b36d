import DBus
import DragboardInterface

/// A view of a board: one client's edit mode and selection, kept by the daemon.
///
/// A value that names the view and holds nothing of it. One that was opened for this connection goes with it; one under an application's
/// id stays until it is closed, or the daemon restarts.
public struct BoardView: Sendable, Identifiable {
  /// The view's number.
  public let id: ViewID
  /// Where it is asked.
  public let connection: DragboardConnection

  /// The view of that number, whether or not there is one.
  public init(_ id: ViewID, on connection: DragboardConnection) {
    self.id = id
    self.connection = connection
  }

  /// What is selected, and whether the view is in edit mode.
  public func info() async throws(DragboardError) -> ViewInfo {
    try await ViewInfo(properties(of: ViewInterface.name))
  }

  /// Enters or leaves edit mode; entering clears the selection.
  public func setEditing(_ isEditing: Bool) async throws(DragboardError) {
    try await call(ViewInterface.setEditing, isEditing)
  }

  /// Selects rows; an empty list selects nothing and forgets the anchor.
  ///
  /// - Throws: `editing`, `noSuchItem`; `invalidArguments` for several where one alone can be selected.
  public func select(_ items: [ItemID]) async throws(DragboardError) {
    try await call(ViewInterface.select, items.wire)
  }

  /// Selects the row that stands there.
  ///
  /// - Throws: `editing`, `invalidArguments`.
  public func select(_ position: RowPosition) async throws(DragboardError) {
    try await call(
      ViewInterface.selectRow, UInt32(index: position.section), UInt32(index: position.row))
  }

  /// Selects nothing, and forgets the anchor.
  public func deselect() async throws(DragboardError) { try await call(ViewInterface.deselect) }

  /// Works out anew what is to be selected in the anchor's place, and selects it; nil for nothing.
  ///
  /// - Throws: `editing`.
  @discardableResult
  public func reselect() async throws(DragboardError) -> ItemID? {
    try ItemID.orNone(try await call(ViewInterface.reselect))
  }

  /// Works out what is to be selected in the anchor's place, for a later commit; nil for nothing.
  @discardableResult
  public func prepareReselection() async throws(DragboardError) -> ItemID? {
    try ItemID.orNone(try await call(ViewInterface.setReselect))
  }

  /// Selects what was worked out; gives it, nil for nothing.
  ///
  /// - Throws: `editing`.
  @discardableResult
  public func commitReselection() async throws(DragboardError) -> ItemID? {
    try ItemID.orNone(try await call(ViewInterface.commit))
  }

  /// Says whether several rows can be selected at once; false at the beginning.
  public func setAllowsMultipleSelection(_ allows: Bool) async throws(DragboardError) {
    try await set(ViewInterface.allowsMultipleSelection, to: allows)
  }

  /// Closes the view.
  public func close() async throws(DragboardError) { try await call(ViewInterface.close) }
}

extension BoardView: RemoteObject {
  var objectPath: ObjectPath { id.objectPath }
}

extension Board {
  /// Opens a view of the board.
  ///
  /// - Parameter application: who views.
  /// - Returns: the view.
  /// - Throws: `accessDenied`, `invalidArguments`, `limitsExceeded`.
  public func openView(
    as application: Application = .thisConnection
  ) async throws(DragboardError) -> BoardView {
    BoardView(try ViewID(try await call(ViewsInterface.openView, application.id)), on: connection)
  }
}
