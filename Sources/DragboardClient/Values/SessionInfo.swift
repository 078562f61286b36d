/// The properties of a drag session.
public struct SessionInfo: Hashable, Sendable {
  /// The state of a drag session.
  public enum State: String, Hashable, Sendable {
    /// The items can be dropped.
    case active
    /// A destination is loading the items.
    case dropping
    /// The session has ended.
    case ended
  }

  /// The application of the source.
  public let application: String
  /// The state of the session.
  public let state: State
  /// The operation of the drop; before the drop, the operation of the latest proposal, or nil.
  public let operation: DropOperation?
  /// The number of items.
  public let itemCount: Int
  /// The board whose rows are dragged; nil if the items are not rows of a board.
  public let sourceBoard: BoardID?
  /// The rows that are dragged, in order.
  public let sourceRows: [ItemID]
  /// Whether a drop may move the items.
  public let allowsMove: Bool
  /// Whether only the source's application may accept the drop.
  public let isRestrictedToApplication: Bool
  /// The machine on which the drag began, for display; "" for this machine.
  public let machine: String
  /// The loaded share of the bytes, from 0 to 1.
  public let progress: Double
}
