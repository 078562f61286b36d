import DragboardClient

/// A list in the terminal from which the user chooses rows, page by page.
///
/// It is printed to standard error, because standard output is for the chosen rows.
struct TerminalList {
  private let board: Board
  private let sections: [String]
  private let severalAllowed: Bool
  private var query: String
  /// The number of rows before the next page.
  private var offset = 0

  private static let help = "Enter: more, /WORDS: search, q: quit"

  /// Creates a list of the rows that a query finds; of all rows if the query is empty.
  init(of board: Board, sections: [String], query: String, severalAllowed: Bool) {
    self.board = board
    self.sections = sections
    self.query = query
    self.severalAllowed = severalAllowed
  }

  /// Asks until the user has chosen rows.
  ///
  /// - Returns: the chosen rows; empty if the user cancels.
  /// - Throws: `DragboardError` if the board cannot be read.
  mutating func choose() async throws -> [ItemID] {
    try await showPage()
    while let answer = ask() {
      switch answer {
      case "": try await showPage()
      case "q": return []
      case _ where answer.hasPrefix("/"):
        (query, offset) = (String(answer.dropFirst()), 0)
        try await showPage()
      default:
        do { return try await rows(answer) } catch let error as CommandError {
          Console.writeError("\(TerminalText(error.message).text)\n")
        }
      }
    }
    return []
  }

  private func ask() -> String? {
    Console.writeError("\(severalAllowed ? "Rows" : "Row") (\(Self.help)): ")
    return readLine()
  }

  /// Returns the rows that the answer names.
  private func rows(_ answer: String) async throws -> [ItemID] {
    var names: [RowName] = []
    for word in answer.split(separator: " ") {
      guard let name = RowName(argument: String(word)) else {
        throw CommandError(.usage, "'\(word)' is not a row (expected a value of the column ROW)")
      }
      names.append(name)
    }
    guard severalAllowed || names.count == 1 else {
      throw CommandError(.usage, "too many rows were chosen (at most 1; --multiple allows several)")
    }
    return try await RowFinder(board).items(names)
  }

  /// Shows the next page; the first page follows the last one.
  private mutating func showPage() async throws {
    let size = max(Console.lines - 2, 1)
    let page = try await board.findRows(query, from: offset, limit: size)
    guard !page.rows.isEmpty else {
      guard offset > 0 else {
        return Console.writeError("no row contains: \(TerminalText(query).text)\n")
      }
      offset = 0
      return try await showPage()
    }
    offset = page.hasMore ? offset + page.rows.count : 0
    show(page.placed(sections))
  }

  private func show(_ rows: [PlacedRow]) {
    var table = Table(
      [.number("ROW"), Table.Column(head: "TEXT", isFlexible: true)], width: Console.columns)
    let lines = table.lines(of: rows.map { [$0.place, $0.text] }, Ink(hasColours: false))
    Console.writeError(lines.map { $0 + "\n" }.joined())
  }
}
