import ArgumentParser
import DragboardClient
import Files

struct Pick: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pick", abstract: "Choose rows, and print their ids or copy one.",
    discussion: """
      Show the rows with fzf on a terminal, or with rofi or dmenu on a screen. If none of them is installed, show a list \
      in the terminal. fzf shows the selected row beside the list. --with names any other program that reads lines and \
      writes the chosen lines. The printed ids can be used in other commands without --board. If no row is chosen, the \
      exit code is 77.

      --window opens the picker, a window of the shelf. Bind it to a key of the desktop. The row is pasted into the window that \
      had the focus, and nothing is printed. Without --board it shows the clipboard.

      EXAMPLES:
        dragboard get "$(dragboard pick)" | wl-copy
        dragboard get "$(dragboard pick --board work)"
        dragboard remove $(dragboard pick --multiple)
        dragboard drag --row $(dragboard pick --multiple)
        dragboard pick --copy --board clipboard
        dragboard pick --with 'fuzzel --dmenu'
        dragboard pick --multiple invoice 2026
        dragboard pick --window
      """)

  @Argument(help: "Words of the rows to show; the best rows first. Without words, all rows.")
  var words: [String] = []
  @Flag(name: .shortAndLong, help: "Allow several rows.")
  var multiple = false
  @Flag(help: "Copy the row to the clipboard, and print nothing.")
  var copy = false
  @Flag(
    help: "Open the picker of the desktop, which pastes the row into the window with the focus.")
  var window = false
  @Option(
    help: ArgumentHelp(
      "Program that shows the rows; 'list' for the list in the terminal.", valueName: "command"))
  var with: String?
  @OptionGroup var board: BoardOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var connection: ConnectionOptions

  private var query: String { words.joined(separator: " ") }

  func validate() throws {
    guard !copy || !multiple else {
      throw ValidationError("--copy: cannot be used with --multiple")
    }
    guard !window || !(copy || multiple || with != nil || !words.isEmpty) else {
      throw ValidationError("--window: cannot be used with words, --copy, --multiple or --with")
    }
  }

  func run() throws {
    try run(on: connection) { dragboard in
      guard !window else { return try await openWindow(on: dragboard) }
      if copy { _ = try await dragboard.clipboard.info() }
      let board = try await board.find(on: dragboard)
      let info = try await board.info()
      guard info.count > 0 else {
        throw CommandError(.refused, "the board '\(info.name)' has no rows")
      }
      let sections = info.sections
      let items =
        if let chooser = try chooser() {
          try await choose(by: chooser, from: board, sections)
        } else {
          try await choose(from: board, sections)
        }
      guard !items.isEmpty else { throw CommandError(.refused, "no row was chosen") }
      guard multiple || items.count == 1 else {
        throw CommandError(
          .usage, "too many rows were chosen (at most 1; --multiple allows several)")
      }
      for item in items {
        if copy {
          try await board.connection.clipboard.copy(item, of: board)
        } else {
          try output.print(item)
        }
      }
    }
  }

  /// Opens the picker of the shelf, which is the board of the clipboard unless a board is named.
  private func openWindow(on dragboard: DragboardConnection) async throws {
    let name = board.name ?? Environment["DRAGBOARD_BOARD"] ?? ""
    if !name.isEmpty { _ = try await board.find(on: dragboard) }
    let tokens = [
      "activation-token": Environment["XDG_ACTIVATION_TOKEN"],
      "desktop-startup-id": Environment["DESKTOP_STARTUP_ID"],
    ]
    guard try await !dragboard.shelf.openPicker(on: name, startup: tokens.compactMapValues(\.self))
    else { return }
    // The bus does not know the shelf, which may run from a directory of its own.
    let shelf = try Program.findSibling("dragboard-shelf")
    _ = try Subprocess(
      shelf, ["--picker"] + (name.isEmpty ? [] : ["--board", name]), input: .null,
      output: .null, group: .session)
  }

  /// Returns the program that shows the rows; nil for the list in the terminal.
  private func chooser() throws(CommandError) -> Chooser? {
    if let with, with != "list" { return Chooser(command: with) }
    let isInteractive = Console.isInteractive
    let installed = Chooser.installed(
      for: board.board, at: connection.address, severalAllowed: multiple,
      hasTerminal: isInteractive)
    if with == nil, let installed { return installed }
    guard isInteractive else {
      throw CommandError(
        .notFound, "there is no terminal and no program to choose rows with",
        remedy: "Install fzf, rofi or dmenu, or name another program with --with.")
    }
    return nil
  }

  private func choose(
    by chooser: Chooser, from board: Board, _ sections: [String]
  ) async throws -> [ItemID] {
    var shown: [Substring: ItemID] = [:]
    var (offset, hasMore) = (0, true)
    let lines = try await chooser.choose {
      guard hasMore else { return nil }
      let page = try await board.findRows(query, from: offset)
      (offset, hasMore) = (offset + page.rows.count, page.hasMore)
      // After an edit, a page can have rows of the page before it.
      return page.placed(sections).compactMap { row in
        let id = chooser.readsIDs ? "\(row.row.id)\t" : ""
        let line = "\(id)\(row.place)  \(TerminalText(row.text).text)".trimmingTrailingSpaces
        return shown.updateValue(row.row.id, forKey: Substring(line)) == nil ? line + "\n" : nil
      }.joined()
    }
    guard !shown.isEmpty else {
      throw CommandError(.notFound, "no row contains: \(query)")
    }
    let items = lines.compactMap { shown[Substring($0.trimmingTrailingSpaces)] }
    guard items.count == lines.count else {
      throw CommandError(.failure, "'\(chooser.command)' wrote a line that is not in the list")
    }
    return items
  }

  private func choose(from board: Board, _ sections: [String]) async throws -> [ItemID] {
    var list = TerminalList(
      of: board, sections: sections, query: query, severalAllowed: multiple)
    return try await list.choose()
  }
}
