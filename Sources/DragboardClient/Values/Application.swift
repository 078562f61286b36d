/// The identity under which a client drags, drops and views.
public struct Application: Hashable, Sendable {
  /// The application's id (`org.gnome.Notes`); "" for this connection alone.
  public let id: String

  /// An application id: labels of letters, digits, `_` and `-`, joined by dots; the daemon checks
  /// it.
  public init(_ id: String) { self.id = id }

  /// This connection alone, and gone with it.
  public static let thisConnection = Application("")
}

extension Application: ExpressibleByStringLiteral, CustomStringConvertible {
  /// The application whose id the literal is.
  public init(stringLiteral id: String) { self.id = id }

  /// The id.
  public var description: String { id }
}
