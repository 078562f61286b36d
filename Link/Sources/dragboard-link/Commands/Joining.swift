import ArgumentParser
import Files
import LinkEngine

struct Invite: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Print the line with which another machine joins the group.")

  func run() async throws {
    let invitation = try await ConfigurationStore.ofUser.openGroup().invitation()
    FileDescriptor.standardOutput.print(invitation.line + "\n")
  }
}

struct Join: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Join a group with the line that 'invite' printed.")

  @Argument(help: "The line, or - to read it from standard input, where other users cannot see it.")
  var line: String

  @OptionGroup var naming: Naming

  func run() async throws {
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
