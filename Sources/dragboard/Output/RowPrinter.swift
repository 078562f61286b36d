import DragboardClient

/// Prints rows of a board as they come: a table on a terminal, fields in a pipe, or JSON.
struct RowPrinter {
  private enum Style {
    case table(Table)
    case fields
    case json
  }

  private var style: Style
  private let ink = Ink.standard
  private let now = Amounts.now

  /// - Parameter isJSON: whether JSON is wanted.
  init(isJSON: Bool) {
    style = isJSON ? .json : Console.isTerminal ? .table(Self.table) : .fields
  }

  private static var table: Table {
    Table(
      [
        Table.Column(head: "ROW", isNumber: true), Table.Column(head: "TEXT", isFlexible: true),
        Table.Column(head: "TYPES", isOptional: true),
        Table.Column(head: "AGE", isNumber: true, isOptional: true),
        Table.Column(head: "ID", isOptional: true), Table.Column(head: "", isOptional: true),
      ], width: Console.columns)
  }

  /// Prints the next rows.
  mutating func print(_ rows: [PlacedRow]) throws(Failure) {
    switch style {
    case .json: try Console.write(rows.map { "\($0.json)\n" }.joined())
    case .fields: try Console.write(rows.map { $0.fields + "\n" }.joined())
    case .table(var table):
      let lines = table.lines(of: rows.map(cells), ink)
      style = .table(table)
      try Console.write(lines.map { $0 + "\n" }.joined())
    }
  }

  private func cells(_ row: PlacedRow) -> [String] {
    [
      row.place, row.text, row.row.types.map(\.shortName).joined(separator: " "),
      Amounts.age(of: row.row.created, at: now), String(row.row.id.description.prefix(8)),
      row.marks,
    ]
  }
}
