import ArgumentParser
import DragboardClient
import Glibc
import LinkArguments

/// The command `dragboard`.
@main
struct DragboardCommand: ParsableCommand {
  static func main() {
    StandardStreams.fill()
    do {
      try CommandTree.check(NativeArguments.words)
      var command = try parseAsRoot(NativeArguments.withNamedFiles(NativeArguments.words))
      try NativeArguments.check()
      if let link = command as? any LinkSubcommand {
        try type(of: link).runProgram()
      } else {
        try command.run()
      }
    } catch {
      end(by: error)
    }
  }

  /// Prints the error, if there is one, and exits.
  ///
  /// A message about wrong usage quotes arguments, and a client can have chosen the text of an
  /// argument. So control characters are replaced.
  private static func end(by error: any Error) -> Never {
    if let error = error as? CommandError {
      Console.writeError(error.text)
      Glibc.exit(error.status.rawValue)
    }
    let code = exitCode(for: error)
    guard code == .validationFailure else { exit(withError: error) }
    let lines = fullMessage(for: error).split(separator: "\n", omittingEmptySubsequences: false)
    Console.writeError(
      (lines.map(String.init) + [BoardHint.text(for: lines)].compactMap(\.self))
        .map { TerminalText($0).text + "\n" }.joined())
    Glibc.exit(code.rawValue)
  }

  static let configuration = CommandConfiguration(
    commandName: "dragboard",
    abstract: "Drag and drop boards from the command line.",
    discussion: """
      Dragboard is a D-Bus service for drag and drop. Its boards are durable ordered lists of rows. A drop on a \
      board copies the dragged items into new rows. If an application drags rows of a board and drops them on the same board, the rows move.

      A row is named by its position, by its id, or by the id's first characters. A position is section:row: \
      errands:3 is row 3 of the section 'errands', 1:3 is row 3 of section 1, and 3 is row 3 of the first section. \
      Rows and sections are counted from 0.

      EXAMPLES:
        dragboard add 'Call the garage' 'Buy stamps'
        dragboard list
        dragboard move 1 --to 0

      \(ExitStatus.help)
      """,
    version: DragboardConnection.version,
    groupedSubcommands: [
      CommandGroup(
        name: "Reading",
        subcommands: [
          List.self, Show.self, Get.self, Types.self, Search.self, Boards.self, Sessions.self,
          Watch.self, Changes.self, Status.self,
        ]),
      CommandGroup(
        name: "Editing",
        subcommands: [
          Add.self, Move.self, Remove.self, Edit.self, Rename.self, Pin.self, Unpin.self, Lock.self,
          Unlock.self, Stack.self, Unstack.self, Clear.self, Sort.self, Apply.self, Undo.self,
          Redo.self, SectionCommand.self, BoardCommand.self,
        ]),
      CommandGroup(
        name: "Dragging",
        subcommands: [Drag.self, Drop.self, Propose.self, Cancel.self, Pick.self]),
      CommandGroup(name: "Clipboard", subcommands: [Copy.self, Paste.self, ClipboardCommand.self]),
      CommandGroup(name: "Sharing", subcommands: [LinkCommand.self]),
      CommandGroup(name: "Viewing", subcommands: [ViewCommand.self]),
      CommandGroup(name: "Archiving", subcommands: [Export.self, Import.self]),
      CommandGroup(
        name: "Other",
        subcommands: [
          Setup.self, Doctor.self, Restart.self, CompletionCommand.self, Complete.self,
        ]),
    ])
}
