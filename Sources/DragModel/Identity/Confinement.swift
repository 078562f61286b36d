/// The sandbox of a connection.
public enum Confinement: Hashable, Sendable {
  /// No sandbox: the connection counts as every application.
  case unsandboxed
  /// A sandbox with this id: the connection counts as this application.
  case sandboxed(ApplicationID)
  /// A sandbox without an id, or no evidence: the connection counts as no application.
  case unverified
}
