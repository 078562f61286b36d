/// The sandbox of a connection.
public enum Confinement: Hashable, Sendable {
  /// No sandbox: the connection may act as every application.
  case unsandboxed
  /// A sandbox with this id: the connection may act as this application.
  case sandboxed(ApplicationID)
  /// A sandbox without an id, or no evidence: the connection may act as no application.
  case unverified
}
