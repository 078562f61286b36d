/// The reason why bytes are not an undo step or a change log, or why a step does not fit a board.
public enum HistoryDamage: Error, Hashable, Sendable {
  /// The version of the encoding is unknown.
  case unknownVersion(UInt8)

  /// There is no operation or no revision.
  case empty

  /// The bytes end within an operation.
  case cutOff

  /// The code at this offset is not an operation or a change.
  case unknownOperation(UInt8, offset: Int)

  /// The number that ends at this offset is too large, or longer than necessary.
  case badNumber(offset: Int)

  /// The text that ends at this offset is not a name of a section.
  case badName(offset: Int)

  /// The row that ends at this offset has an invalid number.
  case badRow(offset: Int)

  /// The flags before this offset are invalid.
  case badFlags(offset: Int)

  /// The operation, counted from 0, cannot be performed on the board after the operations before
  /// it.
  case doesNotFit(operation: Int)

  /// The step concerns too many evicted rows.
  case tooManyEvicted
}

extension HistoryDamage: CustomStringConvertible {
  /// The problem and its offset.
  public var description: String {
    switch self {
    case .unknownVersion(let version):
      "the encoding has the unknown version \(version)"
    case .empty: "there is no operation or no revision"
    case .cutOff: "the bytes end within an operation or a change"
    case .unknownOperation(let code, let offset): "the code \(code) at offset \(offset) is unknown"
    case .badNumber(let offset): "the number before offset \(offset) is too large or too long"
    case .badName(let offset): "the text before offset \(offset) is not a name of a section"
    case .badRow(let offset): "the row before offset \(offset) has an invalid number"
    case .badFlags(let offset): "the flags before offset \(offset) are invalid"
    case .doesNotFit(let operation): "operation \(operation) of the step does not fit the board"
    case .tooManyEvicted: "too many rows of the step were evicted"
    }
  }
}
