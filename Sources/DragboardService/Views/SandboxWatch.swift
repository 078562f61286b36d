import DBus

/// A watch that reports when the last connection of a sandbox has left the bus.
///
/// One connection of each sandbox is watched. When it leaves, the watch moves to another connection
/// of the sandbox that has called the service.
final class SandboxWatch {
  private let peers: PeerWatch
  private let admission: Admission
  private let onEnd: (String) -> Void
  private var tokens: [String: PeerWatch.Token] = [:]

  init(_ peers: PeerWatch, _ admission: Admission, onEnd: @escaping (String) -> Void) {
    (self.peers, self.admission, self.onEnd) = (peers, admission, onEnd)
  }

  /// Watches a sandbox, beginning with one of its connections.
  func watch(_ sandbox: String, as connection: String) {
    guard tokens[sandbox] == nil else { return }
    tokens[sandbox] = peers.onDeparture(of: connection) { [weak self] _ in
      self?.hasLeft(connection, of: sandbox)
    }
  }

  /// Ends the watch of a sandbox.
  func forget(_ sandbox: String) {
    peers.cancel(tokens.removeValue(forKey: sandbox))
  }

  private func hasLeft(_ connection: String, of sandbox: String) {
    tokens[sandbox] = nil
    admission.forget(connection)
    if let other = admission.connection(ofSandbox: sandbox) {
      watch(sandbox, as: other)
    } else {
      onEnd(sandbox)
    }
  }
}
