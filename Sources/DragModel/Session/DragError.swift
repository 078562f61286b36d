/// The reason why a session refuses a request.
public enum DragError: Error, Hashable, Sendable {
  /// The session is being dropped or has ended, and the request needs an earlier state.
  case sessionEnded
  /// The session has only the items 0 to `count` - 1.
  case noSuchItem(Int, count: Int)
  /// The caller is neither the source nor, after the drop, the client that accepted it.
  case notReadable
  /// The caller did not accept the drop, so it cannot finish it.
  case notDestination
  /// The item has no representation that matches and is visible to the caller.
  case noSuchRepresentation(TypeQuery, item: Int)
  /// The item already has a representation of this type.
  case duplicateRepresentation(ContentType)
  /// The request would exceed a limit.
  case limitExceeded(SessionLimit, maximum: Int)
}

extension DragError: CustomStringConvertible {
  /// The problem and the valid values.
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
