import DBus
import DragboardInterface

/// A view of a board: one client's edit mode and selection, kept by the daemon.
///
/// The value names the view and has nothing of its state. A view of this connection ends with it; a
/// view of an application stays until it is closed, or the daemon restarts.
public struct BoardView: Sendable, Identifiable {
  /// The view's number.
  public let id: ViewID
  /// The connection over which the view is called.
  public let connection: DragboardConnection

  /// The view of that number, whether or not there is one.
  public init(_ id: ViewID, on connection: DragboardConnection) {
    self.id = id
    self.connection = connection
  }

  /// The properties of the view.
  public func info() async throws(DragboardError) -> ViewInfo {
    try await ViewInfo(properties(of: ViewInterface.name))
  }

  /// Enters or leaves edit mode; entering clears the selection.
  public func setEditing(_ isEditing: Bool) async throws(DragboardError) {
    try await call(ViewInterface.setEditing, isEditing)
  }

  /// Selects rows; an empty list selects nothing and forgets the anchor.
  ///
  /// - Throws: `editing`, `noSuchItem`; `invalidArguments` for several if only one can be selected.
  public func select(_ items: [ItemID]) async throws(DragboardError) {
    try await call(ViewInterface.select, items.wire)
  }

  /// Selects the row at a position.
  ///
  /// - Throws: `editing`, `invalidArguments`.
  public func select(_ position: RowPosition) async throws(DragboardError) {
    try await call(
      ViewInterface.selectRow, UInt32(index: position.section), UInt32(index: position.row))
  }

  /// Selects nothing, and forgets the anchor.
  public func deselect() async throws(DragboardError) { try await call(ViewInterface.deselect) }

  /// Determines the row to select in the anchor's place, and selects it; nil for none.
  ///
  /// - Throws: `editing`.
  @discardableResult
  public func reselect() async throws(DragboardError) -> ItemID? {
    try ItemID.orNone(try await call(ViewInterface.reselect))
  }

  /// Determines the row to select in the anchor's place, for a later commit; nil for none.
  @discardableResult
  public func prepareReselection() async throws(DragboardError) -> ItemID? {
    try ItemID.orNone(try await call(ViewInterface.setReselect))
  }

  /// Selects the row that was determined before; returns it, nil for none.
  ///
  /// - Throws: `editing`.
  @discardableResult
  public func commitReselection() async throws(DragboardError) -> ItemID? {
    try ItemID.orNone(try await call(ViewInterface.commit))
  }

  /// Sets whether several rows can be selected; the default is false.
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
  /// - Parameter application: the application of the view.
  /// - Returns: the view.
  /// - Throws: `accessDenied`, `invalidArguments`, `limitsExceeded`.
  public func openView(
    as application: Application = .thisConnection
  ) async throws(DragboardError) -> BoardView {
    BoardView(try ViewID(try await call(ViewsInterface.openView, application.id)), on: connection)
  }
}
