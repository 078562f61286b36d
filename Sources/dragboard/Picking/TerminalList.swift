import DragboardClient

/// A list in the terminal from which the user chooses rows, page by page.
///
/// It is printed to standard error, because standard output is for the chosen rows.
struct TerminalList {
  private let board: Board
  private let sections: [String]
  private let severalAllowed: Bool
  private var pages: BoardPages

  private static let help = "Enter: more, /WORDS: search, q: quit"

  init(of board: Board, sections: [String], severalAllowed: Bool) {
    self.board = board
    self.sections = sections
    self.severalAllowed = severalAllowed
    pages = BoardPages(board, sections: sections.indices)
  }

  /// Asks until the user has chosen rows.
  ///
  /// - Returns: the chosen rows; empty if the user cancels.
  /// - Throws: `DragboardError` if the board cannot be read.
  mutating func choose() async throws -> [ItemID] {
    var isAtEnd = try await showPage()
    while let answer = ask() {
      switch answer {
      case "": isAtEnd = isAtEnd ? try await startAgain() : try await showPage()
      case "q": return []
      case _ where answer.hasPrefix("/"): try await search(String(answer.dropFirst()))
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

  private mutating func startAgain() async throws -> Bool {
    pages = BoardPages(board, sections: sections.indices)
    return try await showPage()
  }

  /// Shows the next page; returns whether it is the last page.
  private mutating func showPage() async throws -> Bool {
    let size = max(Console.lines - 2, 1)
    guard let page = try await pages.page(count: size) else { return true }
    show(page.placed(sections))
    return page.rows.count < size && page.section == sections.count - 1
  }

  private func search(_ words: String) async throws {
    let items = try await board.search(words, limit: max(Console.lines - 2, 1))
    guard !items.isEmpty else {
      return Console.writeError("no row contains: \(TerminalText(words).text)\n")
    }
    show(try await board.rows(items, sections: sections))
  }

  private func show(_ rows: [PlacedRow]) {
    var table = Table(
      [.number("ROW"), Table.Column(head: "TEXT", isFlexible: true)], width: Console.columns)
    let lines = table.lines(of: rows.map { [$0.place, $0.text] }, Ink(hasColours: false))
    Console.writeError(lines.map { $0 + "\n" }.joined())
  }
}
