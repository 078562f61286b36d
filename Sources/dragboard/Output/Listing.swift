/// A short list: a table on a terminal, fields with tabs between them in a pipe, or JSON, an object to a line.
struct Listing {
  /// One thing of the list.
  struct Entry {
    /// As a program reads it.
    let json: JSON
    /// As a person does: a cell for each column.
    let cells: [String]
  }

  private let heads: [String]
  private let numbers: Set<Int>
  private let isJSON: Bool

  /// - Parameters:
  ///   - heads: what stands above the columns, on a terminal alone.
  ///   - numbers: the columns that hold numbers.
  ///   - isJSON: whether JSON is wanted.
  init(_ heads: [String], numbers: Set<Int>, isJSON: Bool) {
    self.heads = heads
    self.numbers = numbers
    self.isJSON = isJSON
  }

  /// Prints it.
  ///
  /// - Throws: `outputClosed`, `system`.
  func print(_ entries: [Entry]) throws(Failure) {
    if isJSON { return try Console.write(entries.map { "\($0.json)\n" }.joined()) }
    guard Console.isTerminal else {
      let lines = entries.map { entry in
        entry.cells.map { TerminalText($0).text }.joined(separator: "\t") + "\n"
      }
      return try Console.write(lines.joined())
    }
    let columns = heads.enumerated().map { index, head in
      Table.Column(head: head, isNumber: numbers.contains(index))
    }
    var table = Table(columns, width: Console.columns)
    let lines = table.lines(of: entries.map(\.cells), .standard)
    try Console.write(lines.map { $0 + "\n" }.joined())
  }
}
