/// The connection that makes a call.
///
/// An unsandboxed caller may act as its own connection and as every application id, because a
/// script uses a new connection for each call. A sandboxed caller may act as its own connection and
/// as the id of its sandbox. A caller with an unverified confinement may act only as its own
/// connection.
public struct Caller: Hashable, Sendable {
  /// The connection's unique name, `:1.42`.
  public let uniqueName: String
  /// The sandbox of the connection.
  public let confinement: Confinement

  /// Creates a caller.
  public init(uniqueName: String, confinement: Confinement) {
    self.uniqueName = uniqueName
    self.confinement = confinement
  }

  /// Returns whether the connection may act as the application.
  public func counts(as application: Application) -> Bool {
    switch application {
    case .uniqueName(let name): name == uniqueName
    case .id(let id):
      switch confinement {
      case .unsandboxed: true
      case .sandboxed(let sandbox): sandbox == id
      case .unverified: false
      }
    }
  }
}
