import Files
import Glibc
import LinkArguments
import LinkEngine
import LinkModel

/// The steps that make this machine the host of its group: the machine that runs the server.
enum Hosting {
  /// The time until a server that was started, or whose settings have changed, accepts this machine.
  private static let timeout = Duration.seconds(15)

  /// The first port that is tried; it is below the ports that the system gives to connections.
  static let firstPort: UInt16 = 4_242

  /// The error of a server that does not accept this machine in time.
  struct Unreachable: Error, CustomStringConvertible {
    let description: String
  }

  /// Returns the group of this machine, and the settings of the server that this machine runs.
  ///
  /// If this machine is in no group, starts a server, makes a group, and starts the services.
  ///
  /// If `networkName`, the name of this machine on the network, is not nil, the server listens there.
  /// Otherwise its address is unchanged, and a new server listens on 127.0.0.1.
  static func group(
    in store: ConfigurationStore, named name: LinkNaming, networkName: String? = nil
  ) async throws -> (group: Group, server: HostedServer) {
    _ = try HostedPrograms.findServer()
    guard let configuration = try store.load() else {
      return try await create(in: store, named: name, networkName: networkName)
    }
    guard try store.loadServer() != nil else {
      throw Group.Refusal(
        description:
          "group: this machine is in a group whose server is \(configuration.server.label) (to leave it: dragboard link leave)"
      )
    }
    if let networkName { try store.updateServer { $0.networkName = networkName } }
    return (try await start(in: store), try settings(in: store))
  }

  /// Starts the services of this machine, whose server has settings.
  private static func start(in store: ConfigurationStore) async throws -> Group {
    guard let configuration = try store.load() else { throw NotConfigured() }
    try UserService.server.start(in: store)
    try await waitForServer(configuration.server, in: store)
    try UserService.link.start(in: store)
    return try store.openGroup()
  }

  private static func settings(in store: ConfigurationStore) throws -> HostedServer {
    guard let server = try store.loadServer() else { throw NotConfigured() }
    return server
  }

  private static func create(
    in store: ConfigurationStore, named name: LinkNaming, networkName: String?
  ) async throws -> (group: Group, server: HostedServer) {
    var server = HostedServer(
      port: try freePort(from: firstPort), networkName: networkName,
      place: Home.place(of: store))
    let configuration = try LinkConfiguration(hosting: &server, machineName: name.machineName)
    try store.updateRoute { [server] in $0 = .hosted(server) }
    do {
      try UserService.server.start(in: store)
      try await waitForServer(configuration.server, in: store)
      _ = try await store.enter(configuration)
      return (try await start(in: store), server)
    } catch {
      try? removeRoute(in: store)
      throw error
    }
  }

  /// Creates an invitation for one machine, which reaches the server at `address`.
  static func invitation(
    to group: Group, at address: String, in store: ConfigurationStore
  ) async throws -> Invitation {
    let server = try settings(in: store)
    let invitation = try await group.hostedInvitation(
      at: "tls://\(address):\(server.port)", now: UInt64(time(nil)))
    ServiceLock.update(.server, in: store)
    // The line must work at once.
    try await waitForServer(invitation.server.at(group.configuration.server.url), in: store)
    return invitation
  }

  /// Waits until a server accepts this machine.
  ///
  /// - Returns: the connection.
  @discardableResult
  static func waitForServer(
    _ server: ServerAddress, in store: ConfigurationStore
  ) async throws -> NATSConnection {
    let deadline = ContinuousClock.now + timeout
    while true {
      do { return try NATSConnection(to: server, waits: false) } catch {
        if let failure = ServerFailure.read(in: store) { throw Unreachable(description: failure) }
        guard ContinuousClock.now < deadline else { throw error }
        try await Task.sleep(for: .milliseconds(20))
      }
    }
  }

  /// Ends the way to the server, and removes it.
  static func removeRoute(in store: ConfigurationStore) throws {
    try UserService.server.stop(in: store)
    let directory = try store.updateRoute { route -> String? in
      defer { route = nil }
      if case .hosted? = route { return store.serverDirectory }
      return nil
    }
    ServerFailure.write(nil, in: store)
    if let directory { _ = try Subprocess("rm", ["-rf", "--", directory]).wait() }
  }

  /// Returns a port of 127.0.0.1 on which no program listens.
  static func freePort(from first: UInt16) throws -> UInt16 {
    for port in first..<first + 200 where isFree(port) { return port }
    throw Unreachable(description: "port: \(first) and the next 200 ports are in use")
  }

  private static func isFree(_ port: UInt16) -> Bool {
    let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard number >= 0 else { return false }
    defer { close(number) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    var isOn: Int32 = 1
    // A port in the state TIME_WAIT is free, as for nats-server and ssh.
    setsockopt(number, SOL_SOCKET, SO_REUSEADDR, &isOn, socklen_t(MemoryLayout<Int32>.size))
    return withUnsafePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(number, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }
}
