/// The properties of a view.
public struct ViewInfo: Hashable, Sendable {
  /// The board of the view.
  public let board: BoardID
  /// The application that opened the view.
  public let application: String
  /// Whether the view is in edit mode.
  public let isEditing: Bool
  /// The selected rows, in the board's order.
  public let selection: [ItemID]
  /// The row that ``BoardView/commitReselection()`` would select; nil for none.
  public let pending: ItemID?
  /// Whether several rows can be selected at once.
  public let allowsMultipleSelection: Bool
}
