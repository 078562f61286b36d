/// Who drags, drops or views: one connection to the bus, or an application by its id.
public enum Application: Hashable, Sendable {
  /// The connection with this unique name (`:1.42`) alone, and gone with it.
  case uniqueName(String)
  /// Every connection that counts as this application.
  case id(ApplicationID)

  /// Reads the argument `application` of a call: "" and the caller's own unique name stand for its connection,
  /// anything else is an application id.
  ///
  /// - Throws: `ApplicationError.malformed`, or `notYours` where the caller does not count as it.
  public static func parse(_ argument: String, caller: Caller) throws(ApplicationError) -> Self {
    guard !argument.isEmpty else { return .uniqueName(caller.uniqueName) }
    let application: Application =
      argument.utf8.first == UInt8(ascii: ":")
      ? .uniqueName(argument) : .id(try ApplicationID(argument))
    guard caller.counts(as: application) else { throw .notYours(argument) }
    return application
  }
}

extension Application: CustomStringConvertible {
  /// The unique name or the id, as the wire carries it.
  public var description: String {
    switch self {
    case .uniqueName(let name): name
    case .id(let id): id.text
    }
  }
}

/// Why a caller cannot act as the application that it names.
public enum ApplicationError: Error, Hashable, Sendable {
  /// The text is no application id.
  case malformed(String)
  /// The text names somebody else.
  case notYours(String)
}

extension ApplicationError: CustomStringConvertible {
  /// What was wrong, and what would have been right.
  public var description: String {
    switch self {
    case .malformed(let text):
      """
      application: \(text.quoted) is no application id; at most \(ApplicationID.maximumLength) letters, digits, \
      _ and -, in labels joined by single dots, are, and "" stands for the caller
      """
    case .notYours(let text):
      """
      application: \(text.quoted) is not the caller; "" stands for its own unique name, \
      and an application id for it where it is not sandboxed, or its sandbox has that id
      """
    }
  }
}
