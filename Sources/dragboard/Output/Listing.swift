/// A list in one of three formats: a table on a terminal, fields separated by tabs in a pipe, or
/// JSON, one object per line.
struct Listing {
  /// A line in each of the formats, of which only one is computed.
  struct Entry {
    fileprivate let json: () -> JSON
    fileprivate let cells: () -> [String]
    fileprivate let fields: () -> [String]

    init(
      json: @autoclosure @escaping () -> JSON, cells: @autoclosure @escaping () -> [String],
      fields: @autoclosure @escaping () -> [String]
    ) {
      (self.json, self.cells, self.fields) = (json, cells, fields)
    }

    /// Creates an entry whose fields in a pipe are the cells.
    init(
      json: @autoclosure @escaping () -> JSON, cells: @autoclosure @escaping () -> [String]
    ) {
      (self.json, self.cells, self.fields) = (json, cells, cells)
    }

    /// Returns the entry with another column before the others.
    func withFirstColumn(_ name: String, _ value: String) -> Entry {
      Entry(
        json: .object([JSON.Member(name: name, value: .string(value))]) + json(),
        cells: [value] + cells(), fields: [value] + fields())
    }
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
    var text = ""
    switch format {
    case .json:
      for entry in entries { text += "\(entry.json())\n" }
    case .fields:
      return try printFields(of: entries)
    case .table(var table):
      for line in table.lines(of: entries.map { $0.cells() }, .standard) { text += line + "\n" }
      format = .table(table)
    }
    try Pager.write(text)
  }

  /// Prints fields for a pipe.
  ///
  /// A board can have many rows, and appending bytes takes fewer instructions than appending texts.
  private func printFields(of entries: [Entry]) throws(Failure) {
    var bytes: [UInt8] = []
    for entry in entries {
      for (index, field) in entry.fields().enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: "\t")) }
        bytes.append(contentsOf: TerminalText(field).text.utf8)
      }
      bytes.append(UInt8(ascii: "\n"))
    }
    try Console.write(bytes)
  }
}
