/// The properties of a drag session.
public struct SessionInfo: Hashable, Sendable {
  /// How far a drag has come.
  public enum State: String, Hashable, Sendable {
    /// It is being dragged.
    case active
    /// A destination is loading.
    case dropping
    /// It is over.
    case ended
  }

  /// The application of the source.
  public let application: String
  /// How far it has come.
  public let state: State
  /// The operation of the latest proposal, and finally of the drop; nil before the first proposal.
  public let operation: DropOperation?
  /// How many items it has.
  public let itemCount: Int
  /// The board whose rows are dragged; nil for other items.
  public let sourceBoard: BoardID?
  /// The rows that are dragged, in order.
  public let sourceRows: [ItemID]
  /// Whether a drop may move.
  public let allowsMove: Bool
  /// Whether only the source may take the drop.
  public let isRestrictedToApplication: Bool
  /// How much is loaded, from 0 to 1.
  public let progress: Double
}
