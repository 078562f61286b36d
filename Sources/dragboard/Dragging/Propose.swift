import ArgumentParser
import DragboardClient

struct Propose: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "propose", abstract: "Show the effect of a drop on a board, without dropping.",
    discussion: """
      Print the operation (copy, move, cancel or forbidden) and the position of the first item. If the operation is \
      forbidden, print the reason to standard error.

      EXAMPLES:
        dragboard propose --to 1
        dragboard propose 12 --as org.example.Mail --json
      """)

  @OptionGroup var session: SessionArgument
  @Option(help: .place)
  var to: PositionArgument?
  @Flag(help: "Only notify the source that the drag has left the board.")
  var exit = false
  @OptionGroup var identity: IdentityOptions
  @OptionGroup var board: BoardOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    try run(on: connection) { dragboard in
      let session = try await self.session.find(on: dragboard)
      let board = try await board.find(on: dragboard)
      if exit { return try await board.dropTarget.exit(session.id, as: identity.identity) }
      let (section, row) = try await RowFinder(board).position(of: to)
      let proposal = try await board.dropTarget.propose(
        session.id, inSection: section, at: row, as: identity.identity)
      if proposal.operation == .forbidden {
        let reason = try await CommandError.forbidden(session, on: board, as: identity.identity)
        Console.writeError(reason.note)
      }
      guard output.json else {
        return try Console.writeLine("\(proposal.operation.rawValue)\t\(proposal.destination)")
      }
      try Console.writeLine([
        "session": JSON(session.id.number),
        "can_handle": .boolean(try await board.dropTarget.canHandle(session.id)),
        "operation": .string(proposal.operation.rawValue),
        "intent": .string(proposal.intent), "section": JSON(proposal.destination.section),
        "row": JSON(proposal.destination.row),
        "position": .string(proposal.destination.description),
      ])
    }
  }
}
