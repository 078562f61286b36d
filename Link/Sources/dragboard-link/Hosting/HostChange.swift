import Files
import Glibc
import LinkArguments
import LinkEngine

/// The steps that make this machine the host of a group that has another host.
///
/// Until the last step, the new server listens on 127.0.0.1 and admits only this machine, so the other
/// machines find complete logs.
/// Every step can be repeated after an interruption.
struct HostChange {
  private let store: ConfigurationStore
  private let configuration: LinkConfiguration
  /// The name of this machine on the network.
  private let networkName: String
  /// Whether the earlier host is lost, so that this machine restores the logs.
  private let isLost: Bool

  init(
    in store: ConfigurationStore, _ configuration: LinkConfiguration, networkName: String,
    isLost: Bool
  ) {
    (self.store, self.configuration) = (store, configuration)
    (self.networkName, self.isLost) = (networkName, isLost)
  }

  /// Makes this machine the host.
  ///
  /// - Returns: the change, and the names of the machines that cannot follow, because they have no key.
  func run() async throws -> (move: HostMove, excluded: [String]) {
    let isRepeated = try existingServer() != nil
    if !isLost, !isRepeated {
      // A host that does not answer must change nothing.
      try await store.openGroup().update()
    }
    try UserService.link.stop(in: store)
    // From the entry about the new host on, only a repetition leads further.
    var hasBegun = isRepeated
    do {
      let (server, address) = try await startServer()
      let url = "tls://\(networkName):\(server.port)"
      let move: HostMove
      let new = try await group(at: address)
      if server.isServer(of: configuration) {
        // All logs are complete.
        try await new.update()
        guard let last = await new.state.host else { throw NotConfigured() }
        move = last
      } else if isLost {
        move = try await new.restore(server, at: url)
        try EarlierHost.save(configuration.server, in: store.openState())
      } else {
        let old = try await group(at: configuration.server)
        hasBegun = true
        move = try await old.move(to: new, server, at: url)
      }
      return (move, try await finish(move, new, address))
    } catch {
      // A refusal means that another machine has become the host first.
      if !hasBegun || error is Group.Refusal { try? restoreRoute() }
      throw error
    }
  }

  private func group(at server: ServerAddress) async throws -> Group {
    try Group(configuration, in: store, on: try await Hosting.waitForServer(server, in: store))
  }

  /// The server of an interrupted change; nil if there was none.
  private func existingServer() throws -> HostedServer? {
    guard case .hosted(let server)? = try store.loadRoute(), server.phase != .retired else {
      return nil
    }
    return server
  }

  /// Starts a server that admits only this machine.
  private func startServer() async throws -> (HostedServer, ServerAddress) {
    let route = try store.loadRoute()
    var server: HostedServer
    if let existing = try existingServer() {
      server = existing
    } else {
      try UserService.server.stop(in: store)
      // A server from an earlier time as the host has outdated logs.
      _ = try Subprocess("rm", ["-rf", "--", store.serverDirectory]).wait()
      server = HostedServer(
        port: try Hosting.freePort(from: Hosting.firstPort), networkName: nil,
        place: Home.place(of: store))
      server.phase = .preparing
      if case .tunnel(let tunnel)? = route, !isLost { server.earlier = tunnel }
    }
    guard let address = server.admit(configuration) else { throw NotConfigured() }
    try store.updateRoute { [server] in $0 = .hosted(server) }
    ServerFailure.write(nil, in: store)
    try UserService.server.start(in: store)
    try await Hosting.waitForServer(address, in: store)
    return (server, address)
  }

  /// Admits the other machines, and starts the exchange with the new server.
  private func finish(_ move: HostMove, _ group: Group, _ address: ServerAddress) async throws
    -> [String]
  {
    let logins = await group.logins
    guard var latest = try store.load() else { throw NotConfigured() }
    (latest.server, latest.hostEpoch) = (address, move.epoch)
    try store.save(latest)
    try store.updateServer { server in
      server.admit(logins.known)
      (server.phase, server.earlier, server.networkName) = (.active, nil, networkName)
    }
    ServiceLock.update(.server, in: store)
    try await Hosting.waitForServer(address, in: store)
    try UserService.link.start(in: store)
    return logins.unknown
  }

  /// Returns to the earlier way to the server.
  private func restoreRoute() throws {
    guard let latest = try store.load(), try existingServer()?.isServer(of: latest) == false else {
      return
    }
    let tunnel = try existingServer()?.earlier
    try Hosting.removeRoute(in: store)
    if let tunnel {
      try store.updateRoute { $0 = .tunnel(tunnel) }
      try UserService.server.start(in: store)
    }
    try UserService.link.start(in: store)
  }
}
