/// Why bytes are no undo step or log of changes, or why a step does not fit a board.
public enum HistoryDamage: Error, Hashable, Sendable {
  /// The form is of another version than the one that is read.
  case unknownVersion(UInt8)

  /// There is no operation, or no revision.
  case empty

  /// The bytes end within an operation.
  case cutOff

  /// No operation or change has that code, at that offset.
  case unknownOperation(UInt8, offset: Int)

  /// The number that ends before that offset is too large, or longer than it has to be.
  case badNumber(offset: Int)

  /// The text that ends before that offset is no name of a section.
  case badName(offset: Int)

  /// The row that ends before that offset has a number that no row has.
  case badRow(offset: Int)

  /// The gates before that offset are none.
  case badGates(offset: Int)

  /// The operation, counted from 0, cannot be performed on the board as those before it left it.
  case doesNotFit(operation: Int)
}

extension HistoryDamage: CustomStringConvertible {
  /// What is wrong, and where.
  public var description: String {
    switch self {
    case .unknownVersion(let version):
      "the form is of version \(version), which this release does not know"
    case .empty: "nothing is in it"
    case .cutOff: "it ends within an operation or a change"
    case .unknownOperation(let code, let offset): "nothing has the code \(code) at \(offset)"
    case .badNumber(let offset): "the number before \(offset) is too large, or too long"
    case .badName(let offset): "the text before \(offset) is no name of a section"
    case .badRow(let offset): "the row before \(offset) has a number that no row has"
    case .badGates(let offset): "the gates before \(offset) are none"
    case .doesNotFit(let operation): "operation \(operation) of the step does not fit the board"
    }
  }
}
