/// The party that drags, drops or views: one connection to the bus, or an application by its id.
public enum Application: Hashable, Sendable {
  /// The connection with this unique name (`:1.42`), until it leaves the bus.
  case uniqueName(String)
  /// All connections that may act as this application.
  case id(ApplicationID)

  /// Reads the argument `application` of a call.
  ///
  /// "" and the caller's own unique name mean the caller's connection; any other text is an
  /// application id.
  ///
  /// - Throws: `ApplicationError.malformed` if the text is not an id; `notYours` if the caller may
  ///   not act as the application.
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
  /// The unique name or the id, as on the wire.
  public var description: String {
    switch self {
    case .uniqueName(let name): name
    case .id(let id): id.text
    }
  }
}

/// The reason why a caller cannot act as an application.
public enum ApplicationError: Error, Hashable, Sendable {
  /// The text is not an application id.
  case malformed(String)
  /// The text names another connection or application.
  case notYours(String)
}

extension ApplicationError: CustomStringConvertible {
  /// The problem and the valid values.
  public var description: String {
    switch self {
    case .malformed(let text):
      """
      application: \(text.quoted) is not an application id (at most \(ApplicationID.maxLength) letters, \
      digits, _ and -, in labels joined by single dots; "" means the caller)
      """
    case .notYours(let text):
      """
      application: \(text.quoted) is not the caller (expected "", the caller's unique name, the \
      id of its sandbox, or any application id if it is not sandboxed)
      """
    }
  }
}
