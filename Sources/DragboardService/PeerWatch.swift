import DBus

/// Watches the connections on which something depends, and tells when one has left the bus.
final class PeerWatch {
  private let connection: Connection
  private var peers: [String: (watch: Subscription, bodies: [Int: () -> Void])] = [:]
  private var lastToken = 0

  /// One interest in one peer, to give up.
  struct Token {
    fileprivate let peer: String
    fileprivate let number: Int
  }

  init(_ connection: Connection) { self.connection = connection }

  /// Has `body` called once when the connection with that unique name has left.
  func onDeparture(of peer: String, _ body: @escaping () -> Void) -> Token? {
    guard let name = try? BusName(peer) else { return nil }
    lastToken += 1
    let token = Token(peer: peer, number: lastToken)
    if peers[peer] == nil {
      let watch = connection.watchDeparture(of: name) { [weak self] in self?.hasLeft(peer) }
      peers[peer] = (watch, [:])
    }
    peers[peer]?.bodies[token.number] = body
    return token
  }

  /// Gives up an interest; with the last one the bus stops telling.
  func forget(_ token: Token) {
    peers[token.peer]?.bodies[token.number] = nil
    guard let peer = peers[token.peer], peer.bodies.isEmpty else { return }
    peers[token.peer] = nil
    connection.unsubscribe(peer.watch)
  }

  private func hasLeft(_ name: String) {
    guard let peer = peers.removeValue(forKey: name) else { return }
    connection.unsubscribe(peer.watch)
    for (_, body) in peer.bodies.sorted(by: { $0.key < $1.key }) { body() }
  }
}
