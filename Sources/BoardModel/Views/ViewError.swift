/// The reason why a view refuses a call.
///
/// A refused call changes nothing.
public enum ViewError: Error, Hashable, Sendable {
  /// Nothing can be selected in edit mode.
  case editing

  /// The call names several rows, but at most one can be selected.
  case severalRows(Int)

  /// The board refuses a row that occurs twice or does not exist, or an invalid index.
  case refused(BoardError)
}

extension ViewError: CustomStringConvertible {
  /// The problem and the valid values, with rows by number.
  public var description: String {
    switch self {
    case .editing: "the view is in edit mode (leave it first)"
    case .severalRows(let count):
      "\(count) rows are too many (at most 1, unless the view allows multiple selection)"
    case .refused(let error): error.description
    }
  }
}
