/// Whether a connection is in a sandbox, and in which.
public enum Confinement: Hashable, Sendable {
  /// In none: it counts as every application.
  case unsandboxed
  /// In the sandbox with that id: it counts as that application.
  case sandboxed(ApplicationID)
  /// In a sandbox without an id, or nobody can tell: it counts as no application.
  case doubtful
}
