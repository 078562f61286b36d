import DragboardClient

extension ContentType {
  /// Returns whether the type conforms to one of the types and patterns that a board accepts.
  ///
  /// The type and the accepted types must be in the form in which the daemon writes them. Source:
  /// the specification, section 5.2.
  func conforms(toOneOf accepted: [ContentType]) -> Bool { accepted.contains(where: conforms) }

  private func conforms(to query: ContentType) -> Bool {
    let (type, asked) = (parts, query.parts)
    let isKind =
      asked[0] == "*/*" || asked[0] == type[0]
      || asked[0].hasSuffix("/*") && type[0].hasPrefix(asked[0].dropLast())
    return isKind && asked.dropFirst().allSatisfy(type.dropFirst().contains)
  }

  private var parts: [Substring] { rawValue.split(separator: ";") }
}

extension CommandError {
  /// The error for types that a board does not accept in drops, with the remedy.
  static func notAccepted(
    _ name: String, _ types: [ContentType], by board: BoardInfo
  ) -> CommandError {
    let refused = types.map(\.rawValue).joined(separator: ", ")
    let accepted = board.acceptedTypes.map(\.rawValue).joined(separator: ", ")
    return CommandError(
      .refused,
      "\(name): the board '\(board.name)' does not accept \(refused) "
        + "(\(accepted.isEmpty ? "it accepts no drops" : "it accepts \(accepted)"))",
      remedy:
        "To accept every type: \(SuggestedCall.boardSetting(board.name, "--accept", "*/*"))")
  }
}
