/// The identity under which a client drags, drops, and opens views.
public struct Application: Hashable, Sendable {
  /// The application's id (`org.gnome.Notes`); "" if the identity is this connection.
  public let id: String

  /// Creates an identity from an application id, which the daemon checks.
  ///
  /// An id consists of labels of letters, digits, `_` and `-`, joined by dots.
  public init(_ id: String) { self.id = id }

  /// The identity of this connection.
  ///
  /// No other connection has it, and it ends with the connection.
  public static let thisConnection = Application("")
}

extension Application: ExpressibleByStringLiteral, CustomStringConvertible {
  /// Creates an identity from a literal application id.
  public init(stringLiteral id: String) { self.id = id }

  /// The id.
  public var description: String { id }
}
