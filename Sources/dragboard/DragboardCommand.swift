import ArgumentParser
import DragboardInterface

/// The command `dragboard`; each subcommand has a file of its own.
@main
struct DragboardCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dragboard",
    abstract: "Drag and drop boards from the command line.",
    discussion: """
      Dragboard is a D-Bus service for drag and drop: a drop from another application is copied \
      into a board, an ordered list that lasts; a drag of a board's own row moves it.

      EXAMPLES:
        dragboard demo          see all of it, on a bus of its own
        dragboard demo --json   the same for a program, one object to a line
      """,
    version: Dragboard.version,
    subcommands: [Demo.self])
}
