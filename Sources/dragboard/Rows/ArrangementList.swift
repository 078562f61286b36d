import DragboardClient

/// A board's order as a list of lines that a person can rearrange.
struct ArrangementList {
  /// The board that the list is of.
  let board: BoardSnapshot

  /// The list of that board.
  init(of board: BoardSnapshot) { self.board = board }

  /// The list: `[name]` for each section, and `id  text` for each row.
  func text(with previews: [ItemID: String]) -> String {
    let sections = board.sections.map { section in
      let rows = section.items.map { item in
        "\(item)  \(TerminalText(previews[item] ?? "").text)".trimmingTrailingSpaces
      }
      return (["[\(section.name)]"] + rows).joined(separator: "\n") + "\n"
    }
    return sections.joined(separator: "\n")
  }

  /// Returns the arrangement that a list asks for; an empty list changes nothing.
  ///
  /// - Throws: `CommandError` if a line does not name a row, or names it again.
  func read(_ text: String) throws(CommandError) -> BoardSnapshot {
    var reader = ArrangementReader(board)
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      try reader.take(line, number: index + 1)
    }
    return reader.wanted
  }

  /// Returns the arrangement that the lines of a list ask for, holding no more than the ids.
  ///
  /// - Throws: `CommandError` as for a text, and if the list is too long; `Failure`.
  func read(_ lines: InputLines) throws -> BoardSnapshot {
    var reader = ArrangementReader(board)
    try lines.forEach { number, line in try reader.take(line, number: number) }
    return reader.wanted
  }
}

/// The reader of the lines of an `ArrangementList`.
private struct ArrangementReader {
  private let board: BoardSnapshot
  private let known: Set<ItemID>
  private var seen: Set<ItemID> = []
  private var sections: [BoardSnapshot.Section] = []

  /// Reads a list of that board.
  init(_ board: BoardSnapshot) {
    self.board = board
    known = Set(board.sections.flatMap(\.items))
  }

  /// The arrangement that the lines ask for; the board itself if there is none in them.
  var wanted: BoardSnapshot {
    sections.isEmpty ? board : BoardSnapshot(revision: board.revision, sections: sections)
  }

  /// Takes the next line.
  ///
  /// Rows before the first section are of the board's first.
  /// - Throws: `CommandError` if the line does not name a row, or names it again.
  mutating func take(_ line: Substring, number: Int) throws(CommandError) {
    let line = line.drop(while: \.isWhitespace)
    if line.isEmpty || line.hasPrefix("#") { return }
    if let name = Self.section(line) {
      sections.append(BoardSnapshot.Section(name: name))
      return
    }
    let item = try item(line, number: number)
    guard seen.insert(item).inserted else {
      throw CommandError(.usage, "line \(number): row \(item) is in the list twice")
    }
    if sections.isEmpty {
      sections.append(BoardSnapshot.Section(name: board.sections.first?.name ?? "main"))
    }
    sections[sections.count - 1].items.append(item)
  }

  private static func section(_ line: Substring) -> String? {
    let line = line.trimmingTrailingSpaces
    guard line.hasPrefix("["), line.hasSuffix("]"), line.count > 2 else { return nil }
    return String(line.dropFirst().dropLast())
  }

  private func item(_ line: Substring, number: Int) throws(CommandError) -> ItemID {
    let word = String(line.prefix { !$0.isWhitespace })
    guard let item = ItemID(word), known.contains(item) else {
      throw CommandError(
        .usage, "line \(number): '\(word)' is no row of this board",
        remedy: "Each line begins with a row's id, as 'dragboard apply --print' shows.")
    }
    return item
  }
}

extension StringProtocol {
  /// The text without the spaces at its end.
  var trimmingTrailingSpaces: String {
    var end = endIndex
    while end > startIndex, self[index(before: end)] == " " { end = index(before: end) }
    return String(self[..<end])
  }
}
