import Files
import LinkArguments
import LinkEngine

extension LinkInvite: PerformedSubcommand {
  func perform() async throws {
    let invitation = try await ConfigurationStore.ofUser.openGroup().invitation()
    FileDescriptor.standardOutput.print(invitation.line + "\n")
  }
}

extension LinkJoin: PerformedSubcommand {
  func perform() async throws {
    let text = line == "-" ? readLine() ?? "" : line
    let machine = try LinkConfiguration(
      try Invitation(line: text), machineName: naming.machineName)
    let state: GroupState
    do {
      state = try await ConfigurationStore.ofUser.enter(machine)
    } catch LinkError.unknownKey { throw Invitation.Problem.outdated }
    FileDescriptor.standardOutput.print(
      """
      \(machine.machineName) has joined a group of \(state.machines.count) machines.
      \(state.boardList)\
      A board with one of these names that this machine already has is not shared, until: dragboard link accept NAME
      \(Run.remedy)

      """)
  }
}
