import DBus

/// Reports when the last connection of a sandbox has left the bus.
///
/// One connection of each sandbox is watched. When it leaves, the watch moves to another connection
/// of the sandbox that has called the service.
final class SandboxWatch {
  private unowned let service: Service
  private let onEnd: (String) -> Void
  private var tokens: [String: PeerWatch.Token] = [:]

  init(_ service: Service, onEnd: @escaping (String) -> Void) {
    (self.service, self.onEnd) = (service, onEnd)
  }

  /// Watches a sandbox, one connection of which is known.
  func watch(_ sandbox: String, as connection: String) {
    guard tokens[sandbox] == nil else { return }
    tokens[sandbox] = service.peers.onDeparture(of: connection) { [weak self] in
      self?.hasLeft(connection, of: sandbox)
    }
  }

  /// Ends the watch of a sandbox.
  func forget(_ sandbox: String) {
    if let token = tokens.removeValue(forKey: sandbox) { service.peers.forget(token) }
  }

  private func hasLeft(_ connection: String, of sandbox: String) {
    tokens[sandbox] = nil
    service.admission.forget(connection)
    if let other = service.admission.connection(ofSandbox: sandbox) {
      watch(sandbox, as: other)
    } else {
      onEnd(sandbox)
    }
  }
}
