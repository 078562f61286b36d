/// A table for a terminal, printed page by page: its columns are laid out by the first page, and give way where a later one needs more.
struct Table {
  /// A column: its head, and how it gives way.
  struct Column {
    /// What stands above it.
    let head: String
    /// Whether it takes what the others leave, and is cut to that.
    var isFlexible = false
    /// Whether it holds numbers, which stand to the right.
    var isNumber = false
    /// Whether it is left out where the terminal is too narrow; the last goes first.
    var isOptional = false
  }

  private let columns: [Column]
  private let width: Int
  /// How wide each column is, and which are shown; nil before the first page.
  private var layout: (widths: [Int], shown: [Int])?
  private static let gap = "  "
  /// What the flexible column is worth having with.
  private static let leastWidth = 10

  /// A table of those columns, at most one of them flexible, in so many columns of the terminal.
  init(_ columns: [Column], width: Int) {
    self.columns = columns
    self.width = width
  }

  /// The next rows as lines, below a head where they are the first.
  mutating func lines(of rows: [[String]], _ ink: Ink) -> [String] {
    let cells = rows.map { $0.map(TerminalText.init) }
    let isFirst = layout == nil
    let layout = layOut(cells)
    self.layout = layout
    let body = cells.map { line($0, layout) }
    guard isFirst else { return body }
    return [ink.dim(line(columns.map { TerminalText($0.head) }, layout))] + body
  }

  /// The widest cell of each column so far; the flexible one gets what is left of the terminal.
  private func layOut(_ cells: [[TerminalText]]) -> (widths: [Int], shown: [Int]) {
    var widths = columns.indices.map { column in
      cells.reduce(layout?.widths[column] ?? columns[column].head.count) {
        max($0, $1[column].width)
      }
    }
    var shown = layout?.shown ?? Array(columns.indices)
    guard let flexible = columns.firstIndex(where: \.isFlexible) else { return (widths, shown) }
    let least = min(Self.leastWidth, widths[flexible])
    func left() -> Int {
      let others = shown.reduce(0) { $0 + widths[$1] } - widths[flexible]
      return width - others - Self.gap.count * (shown.count - 1)
    }
    while left() < least, let last = shown.lastIndex(where: { columns[$0].isOptional }) {
      shown.remove(at: last)
    }
    widths[flexible] = min(widths[flexible], max(left(), least))
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
