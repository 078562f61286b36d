/// Why a view refuses a call.
///
/// A refused call has changed nothing.
public enum ViewError: Error, Hashable, Sendable {
  /// Nothing can be selected in edit mode.
  case editing

  /// So many rows are named, where one at most can be selected.
  case severalRows(Int)

  /// What a board refuses: a row that is named twice or not there, an index that is not valid.
  case refused(BoardError)
}

extension ViewError: CustomStringConvertible {
  /// What was wrong, and what would have been right.
  ///
  /// Rows are named by number.
  public var description: String {
    switch self {
    case .editing: "the view is in edit mode; leave it first"
    case .severalRows(let count):
      "\(count) rows are named; the view selects one at most, unless it allows multiple selection"
    case .refused(let error): error.description
    }
  }
}
