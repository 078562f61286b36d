public import DragboardClient

/// The reason why a board does not accept a drag.
public enum Refusal {
  /// Returns the message for the user.
  ///
  /// - Parameters:
  ///   - title: the title of the board.
  ///   - accepted: the types that the board accepts.
  ///   - isFull: whether the board has its maximum number of rows.
  ///   - describe: returns the readable name of a type.
  /// - Returns: a sentence.
  public static func text(
    of title: String, accepting accepted: [ContentType], isFull: Bool,
    describe: (ContentType) -> String
  ) -> String {
    if isFull { return localized("“%1” is full", title) }
    guard !accepted.contains(.any) else {
      return localized("“%1” does not accept this content", title)
    }
    var names: [String] = []
    for name in accepted.map(describe) where !names.contains(name) { names.append(name) }
    return localized("“%1” accepts only: %2", title, names.joined(separator: ", "))
  }
}
