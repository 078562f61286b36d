/// A short list: a table on a terminal, fields with tabs between them in a pipe.
enum Listing {
  /// Prints it.
  ///
  /// - Parameters:
  ///   - heads: what stands above the columns, on a terminal alone.
  ///   - numbers: the columns that hold numbers.
  ///   - flexible: the column that is cut where the terminal is too narrow.
  ///   - rows: the cells.
  /// - Throws: `outputClosed`, `system`.
  static func print(
    _ heads: [String], numbers: Set<Int> = [], flexible: Int? = nil, _ rows: [[String]]
  ) throws(Failure) {
    guard Console.isTerminal else {
      let lines = rows.map { $0.map { TerminalText($0).text }.joined(separator: "\t") + "\n" }
      return try Console.write(lines.joined())
    }
    let columns = heads.enumerated().map { index, head in
      Table.Column(
        head: head, isFlexible: index == flexible, isNumber: numbers.contains(index))
    }
    var table = Table(columns, width: Console.columns)
    try Console.write(table.lines(of: rows, .standard).map { $0 + "\n" }.joined())
  }
}
