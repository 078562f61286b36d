import ArgumentParser
import DragboardClient

struct Cancel: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cancel", abstract: "Cancel a drag.",
    discussion: """
      A drag that was begun under an application's name (--as) can be cancelled from anywhere; any other \
      by the command that began it, with Ctrl-C.

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
