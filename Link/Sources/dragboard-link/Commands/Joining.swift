import Files
import Glibc
import LinkArguments
import LinkEngine
import LinkState
import Text

extension LinkInvite: PerformedSubcommand {
  func perform() async throws {
    let store = ConfigurationStore.ofUser
    let group = try store.openGroup()
    if withdraw { return try await withdrawAll(of: group, in: store) }
    let invitation =
      if group.configuration.server.host == nil { try await group.invitation() } else {
        try await Hosting.invitation(to: group, at: try address(in: store), in: store)
      }
    if group.configuration.server.host != nil {
      StandardError.writeLine("The line is valid for one machine, and for a day.")
    }
    FileDescriptor.standardOutput.print(invitation.line + "\n")
  }

  /// Withdraws the lines that no machine has used.
  private func withdrawAll(of group: Group, in store: ConfigurationStore) async throws {
    guard let server = group.configuration.server.host else {
      throw Group.Refusal(
        description:
          "withdraw: an administrator runs the server, which accepts its password (expected another password)"
      )
    }
    guard try store.loadServer() != nil else {
      throw Group.Refusal(
        description: "withdraw: \(server.machine) runs the server (expected this command there)")
    }
    try await group.update()
    let keys = Set(await group.state.machines.values.map(\.publicKey))
    var count = 0
    try store.updateServer { server in
      server.update(keys, now: UInt64(time(nil)))
      count = server.invitationCount
      server.withdrawInvitations()
    }
    // When the server accepts another new key, it has read the keys again and refuses the withdrawn ones.
    _ = try await Hosting.invitation(to: group, at: "127.0.0.1", in: store)
    try store.updateServer { $0.withdrawInvitations() }
    ServiceLock.update(.server, in: store)
    FileDescriptor.standardOutput.print(
      count == 1 ? "1 line is withdrawn.\n" : "\(count) lines are withdrawn.\n")
  }

  /// The address of the server that this machine runs.
  private func address(in store: ConfigurationStore) throws -> String {
    guard let server = try store.loadServer() else {
      throw Group.Refusal(
        description:
          "invite: another machine runs the server of the group (expected this command on that machine)"
      )
    }
    guard let name = server.networkName else {
      throw Group.Refusal(
        description:
          "invite: the server of this machine does not listen on the network (expected 'dragboard link with' on the other machine, or first 'dragboard link host' here)"
      )
    }
    return name
  }
}

extension LinkJoin: PerformedSubcommand {
  func perform() async throws {
    let store = ConfigurationStore.ofUser
    if line == "-", isatty(STDIN_FILENO) == 1 { StandardError.writeLine("Paste the line:") }
    let text = line == "-" ? readLine() ?? "" : line
    if HostNotice.matches(text) { return try follow(text, in: store) }
    var machine = try LinkConfiguration(try Invitation(line: text), machineName: naming.machineName)
    let state = try await store.enter(&machine, naming)
    let isHosted = machine.server.host != nil
    if isHosted { try UserService.link.start(in: store) }
    FileDescriptor.standardOutput.print(
      """
      \(machine.machineName) has joined a group of \(state.machines.count) machines.
      \(state.boardList)\
      A board with one of these names that this machine already has is not shared, until: dragboard link accept NAME
      \(isHosted ? "The link runs, now and in every session." : Run.remedy)

      """)
  }
}

extension LinkJoin {
  /// Continues with a new host, because the earlier one is lost.
  private func follow(_ line: String, in store: ConfigurationStore) throws {
    guard let configuration = try store.load() else { throw NotConfigured() }
    let notice = try HostNotice(line: line, for: configuration)
    // The service uses the earlier server.
    try UserService.link.stop(in: store)
    let isNew = try store.follow(notice.move, named: notice.name, isChosen: true)
    // The logs of the earlier host can have had other entries.
    if isNew { try store.openState().removeTrail(ofLog: "\(configuration.keys.id)") }
    if isNew, try store.loadRoute() == nil { try Hosting.removeRoute(in: store) }
    try UserService.link.start(in: store)
    guard isNew else {
      throw Group.Refusal(
        description:
          "host: the line is about \(notice.name.harmlessLine()), but this machine uses it, or a later host, already"
      )
    }
    FileDescriptor.standardOutput.print("The host is \(notice.name.harmlessLine()) now.\n")
  }
}

extension ConfigurationStore {
  /// Joins a group; if the user has chosen no name and another machine has the name of this machine,
  /// changes the name.
  @discardableResult
  func enter(
    _ machine: inout LinkConfiguration, _ naming: LinkNaming
  ) async throws -> GroupState {
    do {
      do { return try await enter(machine) } catch let error as Group.Refusal {
        guard error.isNameConflict, naming.name == nil else { throw error }
        machine.addSuffix()
        return try await enter(machine)
      }
    } catch LinkError.unknownKey {
      throw Invitation.Problem.outdated
    } catch LinkError.refusedKey {
      throw Invitation.Problem.withdrawn
    }
  }
}
