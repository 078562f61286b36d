import ArgumentParser
import DragboardClient

/// `dragboard cancel`.
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

  @Argument(
    help: ArgumentHelp("The drag (the latest).", valueName: "number"), completion: .sessions)
  var session: UInt64?
  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    try run(on: connection) { dragboard in
      try await SessionFinder.find(session, on: dragboard).cancel()
    }
  }
}
