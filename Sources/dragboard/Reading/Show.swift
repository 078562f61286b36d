import ArgumentParser
import DragboardClient

struct Show: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show the texts and the properties of rows.",
    discussion: """
      EXAMPLES:
        dragboard show 3
        dragboard show errands:0 6f1c1d2e
      """)

  @Argument(help: .rows)
  var rows: [RowName]
  @OptionGroup var board: BoardOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    try run(on: connection, board, having: rows) { board in
      let names = try await board.info().sections
      for (index, name) in rows.enumerated() {
        let (row, position) = try await RowFinder(board).row(name)
        let placed = PlacedRow(row, at: position, in: names)
        let text = row.types.contains(.plainText) ? try await board.text(of: row.id) : nil
        if output.json {
          try Console.writeLine(placed.json(with: text))
        } else {
          let source =
            Console.isTerminal
            ? await ApplicationName.find(row.source, on: board.connection) : row.source
          try Pager.write((index == 0 ? "" : "\n") + Self.description(placed, from: source, text))
        }
      }
    }
  }

  /// Returns permissions as `ls` shows them: `rwxr-xr-x`.
  private static func permissions(_ mode: UInt32) -> String {
    String(
      "rwxrwxrwx".enumerated().map { index, letter in mode >> (8 - index) & 1 == 1 ? letter : "-" })
  }

  private static func description(
    _ row: PlacedRow, from source: String, _ text: String?
  ) -> String {
    let ink = Ink.standard
    let now = Amounts.now
    // A person reads a terminal; in a pipe, the time is exact.
    func time(_ instant: Duration) -> String {
      Console.isTerminal ? Amounts.ago(instant, at: now) : Amounts.timestamp(instant)
    }
    let facts = [
      ("row", row.place), ("id", row.row.id.description), ("section", row.section),
      ("types", row.row.types.map(\.rawValue).joined(separator: ", ")),
      ("size", Amounts.bytes(row.row.byteCount)), ("created", time(row.row.created)),
      ("source", source), ("name", row.row.suggestedName),
      ("changed", row.row.attributes.modified.map(time) ?? ""),
      ("app", row.row.attributes.application), ("stack", row.row.attributes.stack),
      ("mode", row.row.attributes.mode.map(Self.permissions) ?? ""),
      ("pinned", row.row.isPinned ? "yes" : ""), ("locked", row.row.isEditable ? "" : "yes"),
      ("fixed", row.row.isMovable ? "" : "yes"),
    ].filter { !$0.1.isEmpty }
    let lines = facts.map { name, value in
      ink.dim(TerminalText(name).padded(to: 8)) + TerminalText(value).text
    }
    let shown =
      text.map {
        "\n"
          + $0.split(separator: "\n", omittingEmptySubsequences: false)
          .map { TerminalText(String($0)).text }.joined(separator: "\n") + "\n"
      } ?? ""
    return lines.joined(separator: "\n") + "\n" + shown
  }
}

extension PlacedRow {
  /// Returns the row with its whole text as JSON.
  fileprivate func json(with text: String?) -> JSON { json + ["text": JSON(text: text)] }
}

extension ArgumentHelp {
  static let rows = ArgumentHelp(
    "Rows: a position (3 or SECTION:3), an id, or the id's first characters.", valueName: "row")
  static let row = ArgumentHelp(
    "A row: a position (3 or SECTION:3), an id, or the id's first characters.", valueName: "row")
  static let place = ArgumentHelp(
    "Position: 3, SECTION:3, or SECTION: for the end of a section.", valueName: "position")
}
