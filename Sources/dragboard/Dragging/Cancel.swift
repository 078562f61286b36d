import ArgumentParser
import DragboardClient

struct Cancel: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cancel", abstract: "Cancel a drag.",
    discussion: """
      This cancels only a drag that was begun under an application's id (--as). To cancel any other drag, \
      press Ctrl-C in the command that began it.

      EXAMPLES:
        dragboard cancel
        dragboard cancel 12
      """)

  @OptionGroup var session: SessionArgument
  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    try run(on: connection) { dragboard in
      try await session.find(on: dragboard).cancel()
    }
  }
}
