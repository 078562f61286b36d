/// A list in one of three formats: a table on a terminal, fields separated by tabs in a pipe, or
/// JSON, one object per line.
struct Listing {
  struct Entry {
    let json: JSON
    let cells: [String]
    /// The fields in a pipe; nil to use the cells.
    var fields: [String]?
  }

  private enum Format {
    case table(Table)
    case fields
    case json
  }

  private var format: Format

  init(_ columns: [Table.Column], _ options: ListingOptions) {
    let isTable = options.table || Console.isTerminal
    format =
      options.json ? .json : isTable ? .table(Table(columns, width: Console.columns)) : .fields
  }

  /// Prints the next entries.
  ///
  /// - Throws: `outputClosed`, `system`.
  mutating func print(_ entries: [Entry]) throws(Failure) {
    let lines: [String]
    switch format {
    case .json: lines = entries.map(\.json.description)
    case .fields:
      lines = entries.map { entry in
        (entry.fields ?? entry.cells).map { TerminalText($0).text }.joined(separator: "\t")
      }
    case .table(var table):
      lines = table.lines(of: entries.map(\.cells), .standard)
      format = .table(table)
    }
    try Console.write(lines.map { $0 + "\n" }.joined())
  }
}
