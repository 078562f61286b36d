import Files
import LinkArguments
import LinkEngine
import Text

extension LinkMoveHost: PerformedSubcommand {
  func perform() async throws {
    let store = ConfigurationStore.ofUser
    guard let configuration = try store.load() else { throw NotConfigured() }
    guard configuration.server.host != nil else {
      throw Group.Refusal(
        description:
          "group: an administrator runs its server (to use another one: dragboard link server)")
    }
    guard machine == configuration.machineName else {
      throw Group.Refusal(
        description:
          "machine: \"\(machine)\" is not this machine, which is \"\(configuration.machineName)\" (expected this command on the machine that becomes the host)"
      )
    }
    let isHost = try store.loadServer()?.isServer(of: configuration) == true
    // The command may have been killed at its end.
    guard !isHost || configuration.hostEpoch > 0
    else {
      throw Group.Refusal(description: "machine: \"\(machine)\" is the host already")
    }
    _ = try HostedPrograms.findServer()
    let name = try LinkHost.checkedName(address)
    let (move, excluded) = try await HostChange(
      in: store, configuration, networkName: name, isLost: lost
    ).run()
    StandardError.writeLine(
      "\(machine) is the host now. Its server listens on the network, for machines with a key of the group."
    )
    for name in excluded {
      StandardError.writeLine(
        "Note: \(name.harmlessLine()) has no key for this server (expected there: dragboard link leave --offline, and then a new invitation)"
      )
    }
    guard lost else { return }
    StandardError.writeLine(
      "On each other machine, type 'dragboard link join' and paste this line, which contains no secret:"
    )
    let notice = HostNotice(move, named: machine, for: configuration)
    FileDescriptor.standardOutput.print(notice.line + "\n")
  }
}
