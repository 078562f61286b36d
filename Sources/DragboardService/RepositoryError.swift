import DBus

/// What a repository could not do.
public struct RepositoryError: Error, Hashable, Sendable {
  /// One sentence for people, with the system's or SQLite's words.
  public let message: String
  /// Whether one content cannot be read, and everything else can.
  public let isOfOneContent: Bool

  /// A failure with those words.
  public init(_ message: String, isOfOneContent: Bool = false) {
    (self.message, self.isOfOneContent) = (message, isOfOneContent)
  }

  /// The error that a client gets.
  var answer: DBusError { DBusError(.ioError, message) }
}

extension DBusError {
  /// The error, naming the item and the type that could not be read; another error as it is.
  func reading(_ type: String, ofItem item: some CustomStringConvertible) -> DBusError {
    guard name == ErrorName.ioError else { return self }
    return DBusError(.ioError, "item \(item): its \(type) cannot be read: \(message)")
  }
}
