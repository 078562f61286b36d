/// A picture of a terminal, as an SVG in which the lines appear one after the other.
///
/// It supports the control sequences that `dragboard` writes: new lines, carriage returns, erasing
/// to the end of the line, bold and dim. Other sequences are dropped.
public struct TerminalPicture {
  /// A character in a style.
  private struct Cell: Hashable {
    var character: Character
    var style: Style
  }

  /// The style of a text; the raw value is the class in the SVG.
  private enum Style: String {
    case plain, bold, dim
  }

  private static let lineHeight = 20
  private static let characterWidth = 8.4
  private static let margin = 16

  private let columns: Int
  private var lines: [[Cell]] = [[]]
  /// The time, in milliseconds, at which each line appears.
  private var times: [Int] = [0]
  private var column = 0
  private var style = Style.plain
  private var now = 0

  /// Creates an empty picture.
  public init(columns: Int) { self.columns = columns }

  /// Delays everything that is written later.
  public mutating func wait(milliseconds: Int) { now += milliseconds }

  /// Writes the output of a program.
  public mutating func write(_ text: String) {
    var rest = text.replacing("\r\n", with: "\n")[...]
    while let character = rest.popFirst() {
      switch character {
      case "\n": beginLine()
      case "\r": column = 0
      case "\t": (column % 8..<8).forEach { _ in put(" ") }
      case "\u{1b}":
        guard let end = rest.firstIndex(where: { $0.isLetter }) else { return }
        obey(rest[...end])
        rest = rest[rest.index(after: end)...]
      default: put(character)
      }
    }
  }

  private mutating func beginLine() {
    lines.append([])
    times.append(now)
    column = 0
  }

  private mutating func put(_ character: Character) {
    if column == columns { beginLine() }
    var line = lines[lines.count - 1]
    if line.isEmpty { times[times.count - 1] = now }
    let blank = Cell(character: " ", style: .plain)
    line += Array(repeating: blank, count: max(0, column + 1 - line.count))
    line[column] = Cell(character: character, style: style)
    lines[lines.count - 1] = line
    column += 1
  }

  private mutating func obey(_ sequence: Substring) {
    switch sequence {
    case "[K": lines[lines.count - 1] = Array(lines[lines.count - 1].prefix(column))
    case "[1m": style = .bold
    case "[2m": style = .dim
    case "[0m", "[m": style = .plain
    default: break
    }
  }

  /// The picture as SVG.
  public var svg: String {
    let shown = lines.last?.isEmpty == true ? lines.dropLast() : lines[...]
    let width = Int(Double(columns) * Self.characterWidth) + 2 * Self.margin
    let height = shown.count * Self.lineHeight + 2 * Self.margin
    let texts = zip(shown, times).enumerated().map { index, line in
      let y = Self.margin + (index + 1) * Self.lineHeight - 5
      return "<text x=\"\(Self.margin)\" y=\"\(y)\" style=\"--t:\(line.1)ms\">"
        + "\(spans(of: line.0))</text>\n"
    }
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" width="\(width)"
        xml:space="preserve">
      <style>
      rect { fill: #1e1e2e }
      text { font: 14px monospace; fill: #e6e6ef; white-space: pre; animation: hide var(--t) }
      .bold { font-weight: bold }
      .dim { fill: #9a9ab0 }
      @keyframes hide { from, to { opacity: 0 } }
      @media (prefers-reduced-motion: reduce) { text { animation: none } }
      </style>
      <rect width="\(width)" height="\(height)" rx="8"/>
      \(texts.joined())</svg>

      """
  }

  private func spans(of line: [Cell]) -> String {
    var spans = ""
    var rest = line[...]
    while let first = rest.first {
      let run = rest.prefix { $0.style == first.style }
      rest = rest.dropFirst(run.count)
      let text = String(run.map(\.character))
        .replacing("&", with: "&amp;").replacing("<", with: "&lt;")
      spans += first.style == .plain ? text : "<tspan class=\"\(first.style)\">\(text)</tspan>"
    }
    return spans
  }
}
