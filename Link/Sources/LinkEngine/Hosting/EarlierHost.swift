public import LinkState
internal import Text

/// A host that was lost when this machine became the host.
///
/// If it wakes, it must not continue the logs on its own. So this machine tells it about the new host: it
/// appends the entries to its log that it does not have.
public struct EarlierHost: Sendable {
  private static let setting = "earlier-host"

  private let server: ServerAddress
  private let configuration: LinkConfiguration
  private let state: StateDatabase

  /// The name.
  public var name: String { server.label }

  /// Records that a host is lost.
  public static func save(_ server: ServerAddress, in state: StateDatabase) throws {
    // ssh to a lost host leads nowhere.
    guard let host = server.host, !server.url.hasPrefix("tls://127.0.0.1:") else { return }
    let certificate = Hexadecimal.digits(of: host.certificate.bytes)
    try state.setSetting(setting, to: "\(server.url) \(certificate) \(host.machine)")
  }

  /// Returns the host that was lost and does not know the new one yet; nil if there is none.
  public init?(_ configuration: LinkConfiguration, in state: StateDatabase) {
    guard let text = (try? state.setting(Self.setting)) ?? nil,
      let login = configuration.server.host?.login
    else { return nil }
    let parts = text.split(separator: " ", maxSplits: 2)
    guard parts.count == 3, let bytes = Hexadecimal.bytes(of: parts[1]),
      bytes.count == ServerCertificate.size,
      let server = try? ServerAddress(
        url: String(parts[0]),
        host: GroupHost(
          machine: String(parts[2]), certificate: ServerCertificate(bytes: bytes), login: login))
    else { return nil }
    (self.server, self.configuration, self.state) = (server, configuration, state)
  }

  /// Tells the host about the new one, if it can be reached.
  public func tell() async throws {
    let connection = try NATSConnection(to: server, waits: false)
    defer { connection.close() }
    let id = configuration.keys.id
    let log = JetStreamLog(
      id, of: configuration.keys, on: connection, trail: try Trail(of: id, in: state))
    try await log.restoreAll()
    try state.setSetting(Self.setting, to: nil)
  }
}
