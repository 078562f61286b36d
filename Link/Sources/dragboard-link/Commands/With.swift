import DragboardClient
import Files
import Glibc
import LinkArguments
import LinkEngine
import LinkModel
import LinkState
import Text

extension LinkWith: PerformedSubcommand where Completions == NoCompletions {
  func perform() async throws {
    try Tunnel.check(host)
    let store = ConfigurationStore.ofUser
    try checkGroup(in: store)
    let remote = try RemoteHost(host)
    let invitation = try Invitation(line: try remote.invitation())
    let group =
      if store.exists { try await continueGroup(in: store) } else {
        try await join(invitation, in: store)
      }
    try UserService.link.start(in: store)
    let names = boards.isEmpty ? [Self.defaultBoard] : boards
    for name in names {
      try await LinkShare<NoCompletions>.shareOrAccept(name, in: group, store)
      if let reason = remote.accept(name) {
        StandardError.writeLine("Note: \(host): \(name): \(reason)")
      }
    }
    remote.finish()
    let state = await group.state
    let machines = state.machines.values.map(\.name).sorted().joined(separator: ", ")
    FileDescriptor.standardOutput.print(
      """
      Machines: \(machines.harmlessLine())
      \(state.boardList)\
      Rows that you add to a shared board appear on all machines. To see the state: dragboard link status

      """)
  }

  private static var defaultBoard: String { "shared" }

  /// Throws an error if this machine is in another group.
  private func checkGroup(in store: ConfigurationStore) throws {
    guard store.exists else { return }
    guard case .tunnel(let tunnel)? = try store.loadRoute(), tunnel.target == host else {
      throw AlreadyConfigured()
    }
  }

  /// Opens the group that this machine has joined before.
  private func continueGroup(in store: ConfigurationStore) async throws -> Group {
    guard let server = try store.load()?.server else { throw NotConfigured() }
    ServerFailure.write(nil, in: store)
    try UserService.server.start(in: store)
    try await Self.waitForTunnel(to: server, host, in: store)
    let group = try store.openGroup()
    try await group.update()
    return group
  }

  private func join(_ invitation: Invitation, in store: ConfigurationStore) async throws -> Group {
    var configuration = try LinkConfiguration(invitation, machineName: naming.machineName)
    // Without a host, an administrator runs the server, and every machine reaches it.
    guard configuration.server.host != nil, let remotePort = configuration.server.port else {
      try await store.enter(&configuration, naming)
      return try await Self.opened(store)
    }
    let localPort = try Hosting.freePort(from: remotePort)
    configuration.server = try configuration.server.at("tls://127.0.0.1:\(localPort)")
    let tunnel = try Tunnel(
      to: host, localPort: localPort, remotePort: remotePort, agent: Environment["SSH_AUTH_SOCK"])
    try store.updateRoute { $0 = .tunnel(tunnel) }
    do {
      ServerFailure.write(nil, in: store)
      try UserService.server.start(in: store)
      try await Self.waitForTunnel(to: configuration.server, host, in: store)
      try await store.enter(&configuration, naming)
    } catch {
      try? Hosting.removeRoute(in: store)
      throw error
    }
    return try await Self.opened(store)
  }

  private static func opened(_ store: ConfigurationStore) async throws -> Group {
    let group = try store.openGroup()
    try await group.update()
    return group
  }

  private static func waitForTunnel(
    to server: ServerAddress, _ host: String, in store: ConfigurationStore
  ) async throws {
    do { try await Hosting.waitForServer(server, in: store) } catch let error as Hosting.Unreachable
    {
      guard error.description.contains("Permission denied") else { throw error }
      throw Hosting.Unreachable(
        description: """
          \(error.description); the link runs without a terminal, so ssh cannot ask for a passphrase \
          (expected a key without one, or an agent that the user's systemd knows: \
          systemctl --user import-environment SSH_AUTH_SOCK)
          """)
    }
  }
}

extension LinkShare where Completions == NoCompletions {
  /// Shares a board with this name, which is created if it does not exist; if the group already
  /// shares it, accepts it.
  static func shareOrAccept(
    _ name: String, in group: Group, _ store: ConfigurationStore
  ) async throws {
    try await group.update()
    if await group.state.boards.values.contains(name) {
      return try await LinkAccept<NoCompletions>.accept(name, in: store)
    }
    let connection = try await DragboardConnection.connect()
    let board =
      if let board = try await connection.boards().first(where: { $0.info.name == name })?.board {
        board
      } else {
        try await connection.createBoard(named: name)
      }
    try await share(board.id.path, named: name, in: group)
  }
}
