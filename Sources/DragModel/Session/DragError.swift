/// Why a session refuses what it is asked for.
public enum DragError: Error, Hashable, Sendable {
  /// The session is being dropped or has ended, and what was asked for needs an earlier state.
  case sessionEnded
  /// The session has items 0 to `count` - 1, and not this one.
  case noSuchItem(Int, count: Int)
  /// Only the source, and after the drop the client that took it, may have the bytes.
  case notReadable
  /// Only the client that accepted the drop may finish it.
  case notDestination
  /// The item has nothing of this kind that the caller may see.
  case noSuchRepresentation(TypeQuery, item: Int)
  /// The item has a representation of this type already.
  case duplicateRepresentation(ContentType)
  /// There would be more than there may be.
  case limitExceeded(SessionLimit, maximum: Int)
}

extension DragError: CustomStringConvertible {
  /// What was wrong, and what would have been right.
  public var description: String {
    switch self {
    case .sessionEnded:
      "session: its drag is over; only one that has not been dropped or cancelled can be acted on"
    case .noSuchItem(let item, 0):
      "item: \(item) is none; the session has no items yet"
    case .noSuchItem(let item, let count):
      "item: \(item) is none; the session has the items 0 to \(count - 1)"
    case .notReadable:
      "only the source of the drag may load before the drop, and after it the client that accepted it as well"
    case .notDestination:
      "only the client that accepted the drop may finish it"
    case .noSuchRepresentation(let query, let item):
      "type: item \(item) has no representation that conforms to \(query); GetTypes says what it has"
    case .duplicateRepresentation(let type):
      "type: the item has a representation of \(type) already; each type can be registered once"
    case .limitExceeded(let limit, let maximum):
      "the limit \(limit.rawValue) is \(maximum)"
    }
  }
}
