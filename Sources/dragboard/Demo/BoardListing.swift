import DragboardClient

/// The rows of a board at one revision.
struct BoardListing {
  let board: String
  let revision: UInt64
  let rows: [PlacedRow]

  /// Reads a board.
  ///
  /// No other client may edit it meanwhile.
  init(of name: String, on dragboard: isolated DragboardConnection) async throws(DragboardError) {
    let board = try await dragboard.board(named: name)
    let info = try await board.info()
    var rows: [PlacedRow] = []
    var pages = BoardPages(board, sections: info.sections.indices)
    while let page = try await pages.page() { rows += page.placed(info.sections) }
    (self.board, revision, self.rows) = (name, info.revision, rows)
  }

  /// Returns the lines of a table: a caption, the column heads, and a line for each row.
  func table(_ ink: Ink) -> [String] {
    var table = Table(["section", "row", "text", "types", "id"].map { Table.Column(head: $0) })
    let cells = rows.map { row in
      [
        "\(row.position.section) \(row.section)", "\(row.position.row)", row.row.preview,
        row.row.types.map(\.rawValue).joined(separator: " "),
        String(row.row.id.description.prefix(8)),
      ]
    }
    return [ink.dim("board \"\(board)\", revision \(revision)")] + table.lines(of: cells, ink)
      + (rows.isEmpty ? ["(no rows)"] : [])
  }

  var json: JSON {
    let rows = rows.map { row -> JSON in
      [
        "id": JSON(text: row.row.id), "row": JSON(row.position.row),
        "section": JSON(row.position.section), "section_name": .string(row.section),
        "text": .string(row.row.preview), "types": JSON(texts: row.row.types),
      ]
    }
    return ["board": .string(board), "revision": JSON(revision), "rows": .array(rows)]
  }
}
