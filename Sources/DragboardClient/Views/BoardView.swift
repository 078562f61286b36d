import DBus
import DragboardInterface

/// A view of a board: the edit mode and the selection of one client, which the daemon stores.
///
/// The value names the view and stores no state of the view. A view of this connection ends with
/// the connection. A view of an application stays until it is closed or the daemon restarts.
public struct BoardView: Sendable, Identifiable {
  /// The view's number.
  public let id: ViewID
  /// The connection over which the view is called.
  public let connection: DragboardConnection

  /// Names the view with an id.
  ///
  /// The view need not exist.
  public init(_ id: ViewID, on connection: DragboardConnection) {
    self.id = id
    self.connection = connection
  }

  /// Returns the properties of the view.
  public func info() async throws(DragboardError) -> ViewInfo {
    try await ViewInfo(properties(of: ViewInterface.name))
  }

  /// Enters or leaves edit mode.
  ///
  /// Entering it clears the selection.
  public func setEditing(_ isEditing: Bool) async throws(DragboardError) {
    try await call(ViewInterface.setEditing, isEditing)
  }

  /// Selects rows.
  ///
  /// An empty list clears the selection and its anchor.
  ///
  /// - Throws: `editing`; `noSuchItem`; `invalidArguments` for several rows if the view allows only
  ///   one selected row.
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

  /// Clears the selection and its anchor.
  public func deselect() async throws(DragboardError) { try await call(ViewInterface.deselect) }

  /// Determines the row that replaces the anchor, selects it and returns it; nil if there is none.
  ///
  /// - Throws: `editing`.
  @discardableResult
  public func reselect() async throws(DragboardError) -> ItemID? {
    try ItemID.orNone(try await call(ViewInterface.reselect))
  }

  /// Determines the row that replaces the anchor, and returns it; nil if there is none.
  ///
  /// ``commitReselection()`` selects the row.
  @discardableResult
  public func prepareReselection() async throws(DragboardError) -> ItemID? {
    try ItemID.orNone(try await call(ViewInterface.setReselect))
  }

  /// Selects the row that ``prepareReselection()`` determined, and returns it; nil for none.
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
