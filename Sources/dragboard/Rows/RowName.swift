import ArgumentParser
import DragboardClient

/// A row as a person writes it: its position (`3`, `errands:3`), its id, or a unique prefix of the
/// id.
///
/// A word of at most seven digits is a position. A longer word of digits is the beginning of an id.
struct RowName: Equatable, Sendable {
  /// The name as the user wrote it.
  let text: String
  let meaning: Meaning

  enum Meaning: Equatable, Sendable {
    case place(PositionArgument)
    case id(ItemID)
    /// The beginning of an id, in lower case.
    case prefix(String)
  }

  /// The minimum number of digits that are read as the beginning of an id.
  private static let digitsOfAnID = 8
}

extension RowName: ExpressibleByArgument {
  static var defaultCompletionKind: CompletionKind { .rows }

  init?(argument: String) {
    text = argument
    if let id = ItemID(argument) {
      meaning = .id(id)
    } else if let place = PositionArgument(argument: argument), place.row != nil,
      place.section != nil || argument.utf8.count < Self.digitsOfAnID
    {
      meaning = .place(place)
    } else if !argument.isEmpty, argument.utf8.count < 36,
      argument.allSatisfy({ $0.isASCII && ($0.isHexDigit || $0 == "-") })
    {
      meaning = .prefix(argument.lowercased())
    } else {
      return nil
    }
  }
}
