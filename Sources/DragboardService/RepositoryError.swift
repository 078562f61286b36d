import DBus

/// What a repository could not do.
public struct RepositoryError: Error, Hashable, Sendable {
  /// One sentence for people, with the system's or SQLite's words.
  public let message: String
  /// A failure with those words.
  public init(_ message: String) { self.message = message }

  /// The error that a client gets.
  var answer: DBusError { DBusError(.ioError, message) }
}
