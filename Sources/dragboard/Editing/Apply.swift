import ArgumentParser
import DragboardClient

/// `dragboard apply`.
struct Apply: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "apply",
    abstract: "Reorder a board from a list: in your editor, or from standard input.",
    discussion: """
      The list has a line for each row, which begins with the row's id, and one in brackets, [later], for \
      each section. Lines can be moved, within a section and to others; a row whose line is missing is \
      deleted; a section that is new is made, one that is missing goes. Lines that are empty or begin with # mean \
      nothing. Where somebody edits the board meanwhile nothing is changed, and the exit code is 77.

      EXAMPLES:
        dragboard apply --edit
        dragboard apply --print | sort -k2 | dragboard apply
      """)

  @Flag(help: "Edit the list in $VISUAL, $EDITOR or vi.")
  var edit = false
  @Flag(help: "Print the list and do nothing.")
  var print = false
  @OptionGroup var board: BoardOptions
  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    guard !(edit && print) else { throw ValidationError("--edit and --print exclude each other.") }
  }

  /// Prints the list: to be read back in a pipe, harmless on a terminal.
  private static func show(_ list: String) throws(Failure) {
    guard Console.isTerminal else { return try Console.write(list) }
    for line in list.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
      try Console.writeLine(TerminalText(String(line)).text)
    }
  }

  func run() throws {
    try run(on: connection, board) { board in
      let list = ArrangementList(of: try await board.snapshot())
      if print { return try Self.show(list.text(with: try await Self.previews(of: board))) }
      let wanted =
        if edit {
          try list.read(
            try Editor.edit(
              Self.explanation + list.text(with: try await Self.previews(of: board)),
              named: "board.txt"))
        } else { try list.read(InputLines(.arrangement)) }
      guard wanted != list.board else { return }
      try await board.apply(wanted)
    }
  }

  private static let explanation = """
    # Move lines to move rows; delete lines to delete rows; [name] begins a section.
    # An empty list changes nothing.

    """

  private static func previews(of board: Board) async throws -> [ItemID: String] {
    var previews: [ItemID: String] = [:]
    let count = try await board.info().sections.count
    var pages = BoardPages(board, sections: 0..<count)
    while let page = try await pages.page() {
      for row in page.rows { previews[row.id] = row.preview }
    }
    return previews
  }
}
