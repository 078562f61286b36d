/// A table for a terminal, printed page by page.
///
/// The first page determines the widths of the columns; later pages can widen them.
struct Table {
  /// A column, and its behaviour on a narrow terminal.
  struct Column {
    let head: String
    /// Whether the column is cut to the width that the other columns leave.
    var isFlexible = false
    /// Whether the cells are aligned to the right.
    var isNumber = false
    /// Whether the column is omitted on a narrow terminal.
    ///
    /// The last optional column is omitted first.
    var isOptional = false

    static func number(_ head: String) -> Column { Column(head: head, isNumber: true) }
    static func optional(_ head: String) -> Column { Column(head: head, isOptional: true) }
  }

  private let columns: [Column]
  private let width: Int
  /// The widths of all columns, and the indexes of the shown columns; nil before the first page.
  private var layout: (widths: [Int], shown: [Int])?
  private static let gap = "  "
  /// The minimum width of the flexible column.
  private static let minWidth = 10

  /// Creates a table for a terminal.
  ///
  /// At most one column may be flexible.
  init(_ columns: [Column], width: Int = .max) {
    self.columns = columns
    self.width = width
  }

  /// Returns the lines of the next rows.
  ///
  /// The first page begins with the column heads.
  mutating func lines(of rows: [[String]], _ ink: Ink) -> [String] {
    let cells = rows.map { $0.map(TerminalText.init) }
    let isFirst = layout == nil
    let layout = layOut(cells)
    self.layout = layout
    let body = cells.map { line($0, layout) }
    guard isFirst else { return body }
    return [ink.dim(line(columns.map { TerminalText($0.head) }, layout))] + body
  }

  /// Returns the width of each column, and the indexes of the shown columns.
  ///
  /// The width of a column is the width of its widest cell so far. The flexible column gets the
  /// remaining width.
  private func layOut(_ cells: [[TerminalText]]) -> (widths: [Int], shown: [Int]) {
    var widths = columns.indices.map { column in
      cells.reduce(layout?.widths[column] ?? columns[column].head.count) {
        max($0, $1[column].width)
      }
    }
    var shown = layout?.shown ?? Array(columns.indices)
    guard let flexible = columns.firstIndex(where: \.isFlexible) else { return (widths, shown) }
    let minimum = min(Self.minWidth, widths[flexible])
    func left() -> Int {
      let others = shown.reduce(0) { $0 + widths[$1] } - widths[flexible]
      return width - others - Self.gap.count * (shown.count - 1)
    }
    while left() < minimum, let last = shown.lastIndex(where: { columns[$0].isOptional }) {
      shown.remove(at: last)
    }
    widths[flexible] = min(widths[flexible], max(left(), minimum))
    return (widths, shown)
  }

  private func line(_ cells: [TerminalText], _ layout: (widths: [Int], shown: [Int])) -> String {
    var line = layout.shown.map { index in
      let (column, width) = (columns[index], layout.widths[index])
      let shown = column.isFlexible ? cells[index].cut(to: width) : cells[index]
      return shown.padded(to: width, isNumber: column.isNumber)
    }.joined(separator: Self.gap)
    while line.last == " " { line.removeLast() }
    return line
  }
}

extension Table.Column: ExpressibleByStringLiteral {
  init(stringLiteral head: String) { self.init(head: head) }
}
