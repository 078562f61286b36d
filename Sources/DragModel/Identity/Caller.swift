/// The connection that makes a call.
///
/// Without a sandbox it counts as its own unique name and as every application id: that is how a script drags,
/// one process a call. In a sandbox it counts as its own unique name and its sandbox's id, and as nothing else;
/// where nobody can tell, as its own unique name.
public struct Caller: Hashable, Sendable {
  /// The connection's unique name, `:1.42`.
  public let uniqueName: String
  /// Whether it is in a sandbox, and in which.
  public let confinement: Confinement

  /// Describes a connection.
  public init(uniqueName: String, confinement: Confinement) {
    self.uniqueName = uniqueName
    self.confinement = confinement
  }

  /// Whether this connection may act as the application.
  public func counts(as application: Application) -> Bool {
    switch application {
    case .uniqueName(let name): name == uniqueName
    case .id(let id):
      switch confinement {
      case .unsandboxed: true
      case .sandboxed(let sandbox): sandbox == id
      case .doubtful: false
      }
    }
  }
}
