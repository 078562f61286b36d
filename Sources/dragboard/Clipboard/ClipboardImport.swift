import ArgumentParser
import DragboardClient

struct ClipboardImport: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Import the history of another clipboard manager.",
    discussion: """
      Append the entries to the board 'clipboard', in their order, without entries that are marked as \
      secrets. If the board has no room for all of them, only the latest are imported. CopyQ's pinned entries become pinned rows; \
      its tags and notes are not imported. The manager must be running. Its program gpaste-client or copyq must be installed.

      EXAMPLES:
        dragboard clipboard import gpaste
      """)

  @Argument(help: "The clipboard manager: gpaste or copyq.")
  var manager: ClipboardManager
  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    try run(on: connection) { dragboard in
      let entries = try manager.entries()
      guard !entries.isEmpty else { throw CommandError(.refused, "\(manager) has no entries") }
      let board = try await dragboard.clipboard.board()
      let count = try await Self.append(entries.prefix(try await Self.room(on: board)), to: board)
      let all = count == entries.count ? "" : " of \(entries.count) entries"
      try Console.writeLine("Imported \(Amounts.count(count, "row"))\(all).")
    }
  }

  /// Returns the number of rows that can be added before the board deletes its oldest rows.
  private static func room(on board: Board) async throws -> Int {
    let info = try await board.info()
    guard info.retainedRows > 0 else { return .max }
    guard info.count < info.retainedRows else {
      throw CommandError(
        .refused, "the board '\(info.name)' is full: it retains \(info.retainedRows) rows",
        remedy: "To retain more: \(SuggestedCall.boardSetting(info.name, "--retain-rows", "COUNT"))"
      )
    }
    return info.retainedRows - info.count
  }

  /// Appends entries in their order, the latest first; returns their number.
  ///
  /// The rows are created from the oldest entry to the latest, because the board later deletes its
  /// rows in the order of their creation. Then they are moved to the order of the entries.
  private static func append(
    _ entries: ArraySlice<ClipboardManager.Entry>, to board: Board
  ) async throws -> Int {
    let items = entries.reversed().map { InputItem(name: "an entry", item: $0.item) }
    // A sandboxed program could have made the copies.
    let rows = Array(try await board.drop(items, inSection: 0, at: nil).reversed())
    try await board.move(rows, toSection: 0)
    for (row, entry) in zip(rows, entries) where entry.isPinned {
      try await board.setPinned(true, of: row)
    }
    return rows.count
  }
}
