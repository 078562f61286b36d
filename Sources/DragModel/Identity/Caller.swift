/// The connection that makes a call.
///
/// Without a sandbox it counts as its own unique name and as every application id: that is how a script drags,
/// one process a call. In a sandbox it counts as its own unique name and its sandbox's id, and as nothing else.
public struct Caller: Hashable, Sendable {
  /// The connection's unique name, `:1.42`.
  public let uniqueName: String
  /// The id of its sandbox, where it is in one.
  public let sandboxID: ApplicationID?

  /// Describes a connection.
  public init(uniqueName: String, sandboxID: ApplicationID? = nil) {
    self.uniqueName = uniqueName
    self.sandboxID = sandboxID
  }

  /// Whether this connection may act as the application.
  public func counts(as application: Application) -> Bool {
    switch application {
    case .uniqueName(let name): name == uniqueName
    case .id(let id): sandboxID == nil || sandboxID == id
    }
  }
}
