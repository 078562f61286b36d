/// The reason why a session refuses a request.
public enum DragError: Error, Hashable, Sendable {
  /// The session is being dropped or has ended, and the request needs an earlier state.
  case sessionEnded
  /// The session has only the items 0 to `count` - 1.
  case noSuchItem(Int, count: Int)
  /// The caller is neither the source nor, after the drop, the client that accepted it.
  case notReadable
  /// The caller did not accept the drop, so it can neither finish it nor load by a pipe.
  case notDestination
  /// The item has no representation that matches and is visible to the caller.
  case noSuchRepresentation(TypeQuery, item: Int)
  /// The item already has a representation of this type.
  case duplicateRepresentation(MIMEType)
  /// The request would exceed a limit.
  case limitExceeded(SessionLimit, maximum: Int)
}

extension DragError: CustomStringConvertible {
  /// The problem and the valid values.
  public var description: String {
    switch self {
    case .sessionEnded:
      "session: the drag was already dropped or has ended"
    case .noSuchItem(let item, 0):
      "item: there is no item \(item); the session has no items yet"
    case .noSuchItem(let item, let count):
      "item: \(item) is out of range (0…\(count - 1))"
    case .notReadable:
      "session: only the source and, after a drop, the client that accepted it may load items"
    case .notDestination:
      "session: only the client that accepted the drop may finish it and load by a pipe"
    case .noSuchRepresentation(let query, let item):
      "type: item \(item) has no representation for \(query); GetTypes returns its types"
    case .duplicateRepresentation(let type):
      "type: the item already has a representation of \(type)"
    case .limitExceeded(let limit, let maximum):
      "\(limit.rawValue): the limit of \(maximum) would be exceeded"
    }
  }
}
