import DBus

/// A watch of connections, which reports when a watched connection leaves the bus.
final class PeerWatch {
  /// A registration for a connection, which can be cancelled.
  struct Token {
    fileprivate let peer: String
    fileprivate let number: Int
  }

  private let connection: Connection
  private let scheduler: Scheduler
  private var peers: [String: (watch: Subscription, bodies: [Int: (Step) -> Void])] = [:]
  private var lastToken = 0

  init(_ connection: Connection, _ scheduler: Scheduler) {
    (self.connection, self.scheduler) = (connection, scheduler)
  }

  /// Calls `body` once, in a separate step, when the connection with this unique name leaves the
  /// bus.
  func onDeparture(of peer: String, _ body: @escaping (Step) -> Void) -> Token? {
    guard let name = try? BusName(peer) else { return nil }
    lastToken += 1
    let token = Token(peer: peer, number: lastToken)
    if peers[peer] == nil {
      let watch = connection.names.watchDeparture(of: name) { [weak self] in self?.hasLeft(peer) }
      peers[peer] = (watch, [:])
    }
    peers[peer]?.bodies[token.number] = body
    return token
  }

  /// Cancels a registration.
  ///
  /// If the connection has no other registration, the bus no longer reports its departure.
  func cancel(_ token: Token?) {
    guard let token else { return }
    peers[token.peer]?.bodies[token.number] = nil
    guard let peer = peers[token.peer], peer.bodies.isEmpty else { return }
    peers[token.peer] = nil
    connection.unsubscribe(peer.watch)
  }

  private func hasLeft(_ name: String) {
    guard let peer = peers.removeValue(forKey: name) else { return }
    connection.unsubscribe(peer.watch)
    for (_, body) in peer.bodies.sorted(by: { $0.key < $1.key }) { scheduler.step(body) }
  }
}
