/// The properties of a view.
public struct ViewInfo: Hashable, Sendable {
  /// The board that it shows.
  public let board: BoardID
  /// The application that opened it.
  public let application: String
  /// Whether it is in edit mode.
  public let isEditing: Bool
  /// The rows that are selected, in the board's order.
  public let selection: [ItemID]
  /// The item that a commit would select.
  public let pending: ItemID?
  /// Whether several rows can be selected at once.
  public let allowsMultipleSelection: Bool
}
