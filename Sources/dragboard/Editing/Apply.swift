import ArgumentParser
import DragboardClient

/// `dragboard apply`.
struct Apply: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "apply",
    abstract: "Reorder a board from a list: in your editor, or from standard input.",
    discussion: """
      The list has a line for each section, such as [later], and a line for each row, which begins with its id. Move \
      lines to move rows and sections. Delete a line to delete its row or section. Add a line [name] to insert a section. \
      Empty lines and lines that begin with # are ignored. Changes of texts are ignored and reported. An empty list \
      changes nothing. With --section, the list has only the rows of this section.

      The comment with the revision tells which rows are newer than the list. They stay, unless --replace is given; rows \
      that were deleted since then are ignored. If another client edits the board while your editor is open, nothing is \
      changed, and the exit code is 77. After an error, the edited list stays in a file, whose path is printed; on a \
      terminal, you can open the editor again.

      EXAMPLES:
        dragboard apply --edit
        dragboard apply --print --section 0 | sort -k2 | dragboard apply --section 0
      """)

  @Flag(help: "Edit the list in $VISUAL, $EDITOR or vi.")
  var edit = false
  @Flag(help: "Print the list and do nothing.")
  var print = false
  @Flag(help: "Delete rows that are not in the list, even if they came later than the list.")
  var replace = false
  @Option(
    help: ArgumentHelp("The section to list (default: all sections).", valueName: "name"),
    completion: .sections)
  var section: String?
  @OptionGroup var board: BoardOptions
  @OptionGroup var notice: NoticeOptions
  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    guard !(edit && print) else { throw ValidationError("--edit: cannot be used with --print") }
  }

  /// Prints the list.
  ///
  /// On a terminal, control characters are replaced. In a pipe, the list is unchanged, so that
  /// `apply` can read it.
  private static func show(_ list: String) throws(Failure) {
    guard Console.isTerminal else { return try Console.write(list) }
    for line in list.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
      try Console.writeLine(TerminalText(String(line)).text)
    }
  }

  func run() throws {
    try runEdit(on: connection, board, notice) { board in
      let list = try await list(of: board)
      if print { return try Self.show(list.text) }
      guard edit else {
        return try await apply(try list.read(InputLines(.arrangement)), of: list, to: board)
      }
      var isFirst = true
      try await Editor.edit(
        Self.explanation + list.text, named: "board.txt", notes: Self.notes(section)
      ) { text in
        defer { isFirst = false }
        // At first, the user does not know about edits of other clients, so these cause an error.
        guard !isFirst else {
          return try await apply(
            try list.read(text), of: list, to: board, isStrict: true)
        }
        let present = try await self.list(of: board)
        try await apply(try present.read(text), of: present, to: board)
      }
    }
  }

  private func list(of board: Board) async throws -> ArrangementList {
    let snapshot = try await board.snapshot()
    let names = SectionNames(snapshot.sections.map(\.name))
    return ArrangementList(
      of: snapshot, section: try section.map { name in try names.index(of: name) },
      labels: try await Self.labels(of: board))
  }

  /// Applies an arrangement.
  ///
  /// If `isStrict` is true, fails if the board has been edited since `list` was read.
  private func apply(
    _ wanted: ListedArrangement, of list: ArrangementList, to board: Board, isStrict: Bool = false
  ) async throws {
    Self.report(wanted)
    var later = LaterEdits()
    if let revision = wanted.revision, !isStrict {
      do { later = try await LaterEdits(of: board, since: revision, until: list.board) } catch {
        guard replace, error is CommandError else { throw error }
      }
    }
    let arranged = try wanted.board(after: later, isReplacing: replace)
    guard arranged != list.board else { return }
    try await board.apply(arranged)
  }

  /// Returns the lines that an error has after the path of the list.
  private static func notes(_ section: String?) -> @Sendable (String) -> [String] {
    { path in
      let sections = section.map { [SuggestedCall.Option("--section", $0)] } ?? []
      let call = SuggestedCall("apply", [], sections)
      return ["To apply it to the present board: \(call) < \(ShellWord.quoted(path))"]
    }
  }

  /// The maximum number of lines that are reported individually.
  private static let maxReportCount = 3

  /// Reports the parts of a list that are ignored.
  private static func report(_ wanted: ListedArrangement) {
    if wanted.isEmpty { Console.writeError("nothing changed: the list is empty\n") }
    for (number, item) in wanted.editedLines.prefix(maxReportCount) {
      Console.writeError(
        TerminalText(
          "line \(number): the changed text is ignored; to change it: "
            + "\(SuggestedCall("edit", ["\(item)"]))"
        ).text + "\n")
    }
    let more = wanted.editedLines.count - maxReportCount
    if more > 0 {
      Console.writeError("changed texts are ignored in \(Amounts.count(more, "more line"))\n")
    }
  }

  private static let explanation = """
    # Move lines to move rows; delete lines to delete rows; [name] begins a section.
    # An empty list changes nothing.

    """

  private static func labels(of board: Board) async throws -> [ItemID: String] {
    var labels: [ItemID: String] = [:]
    let count = try await board.info().sections.count
    var pages = BoardPages(board, sections: 0..<count)
    while let page = try await pages.page() {
      for row in page.rows { labels[row.id] = row.label }
    }
    return labels
  }
}
