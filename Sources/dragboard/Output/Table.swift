/// A table for a terminal, printed page by page.
///
/// The first page determines the widths of the columns; later pages can widen them.
struct Table {
  /// A column, and its behaviour on a narrow terminal.
  struct Column {
    let head: String
    /// Whether it is cut to the width that the others leave.
    var isFlexible = false
    /// Whether it is aligned to the right.
    var isNumber = false
    /// Whether it is omitted on a narrow terminal; the last is the first to go.
    var isOptional = false

    static func number(_ head: String) -> Column { Column(head: head, isNumber: true) }
    static func optional(_ head: String) -> Column { Column(head: head, isOptional: true) }
  }

  private let columns: [Column]
  private let width: Int
  /// The widths of the columns, and the shown columns; nil before the first page.
  private var layout: (widths: [Int], shown: [Int])?
  private static let gap = "  "
  /// Minimum width of the flexible column.
  private static let minWidth = 10

  /// A table with at most one flexible column, for a terminal of that width.
  init(_ columns: [Column], width: Int = .max) {
    self.columns = columns
    self.width = width
  }

  /// Returns the lines of the next rows; the first page has a head.
  mutating func lines(of rows: [[String]], _ ink: Ink) -> [String] {
    let cells = rows.map { $0.map(TerminalText.init) }
    let isFirst = layout == nil
    let layout = layOut(cells)
    self.layout = layout
    let body = cells.map { line($0, layout) }
    guard isFirst else { return body }
    return [ink.dim(line(columns.map { TerminalText($0.head) }, layout))] + body
  }

  /// Returns the widest cell of each column so far; the flexible column gets the rest.
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
