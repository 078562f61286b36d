/// A target of libFuzzer: a function that accepts any bytes, and traps if an invariant is violated.
public enum FuzzTarget: String, CaseIterable, Sendable {
  /// Content types, queries, previews and names.
  case types = "FuzzTypes"
  /// Edits, undos and selections of a board.
  case board = "FuzzBoard"
  /// Encoded revisions and undo steps.
  case history = "FuzzHistory"
  /// Events of a drag session, and of a promise.
  case session = "FuzzSession"
  /// Messages of the bus.
  case message = "FuzzMessage"
  /// Databases.
  case store = "FuzzStore"

  /// Runs the target with these bytes.
  public func run(_ bytes: UnsafeRawBufferPointer) {
    switch self {
    case .types: fuzzTypes(bytes)
    case .board: fuzzBoard(bytes)
    case .history: fuzzHistory(bytes)
    case .session: fuzzSession(bytes)
    case .message: fuzzMessage(bytes)
    case .store: fuzzStore(bytes)
    }
  }
}
