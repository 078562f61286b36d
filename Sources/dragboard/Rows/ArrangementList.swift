import DragboardClient

/// The order of a board or a section, as a list of lines that a person can rearrange.
struct ArrangementList {
  let board: BoardSnapshot
  /// The index of the section; nil for the whole board.
  let section: Int?
  private let labels: [ItemID: String]

  /// Creates the list of a section, or of the whole board if `section` is nil.
  init(of board: BoardSnapshot, section: Int? = nil, labels: [ItemID: String]) {
    self.board = board
    self.section = section
    self.labels = labels.mapValues { String(TerminalText($0).text.trimmingSpaces) }
  }

  /// The list: a line `id  text` for each row; for a whole board, a line `[name]` before each
  /// section.
  var text: String {
    let sections = board.sections.enumerated().filter { section == nil || $0.offset == section }
    return sections.map { _, section in
      let rows = section.items.map { item in
        "\(item)  \(labels[item] ?? "")".trimmingTrailingSpaces + "\n"
      }
      return (self.section == nil ? "[\(section.name)]\n" : "") + rows.joined()
    }.joined(separator: "\n")
  }

  /// Returns the arrangement that an edited list describes.
  ///
  /// An empty list changes nothing.
  ///
  /// - Throws: `CommandError` if a line does not name a row, or two lines name the same row.
  func read(_ text: String) throws(CommandError) -> Arrangement {
    var reader = ArrangementReader(board, section: section, labels: labels)
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      try reader.take(line, number: index + 1)
    }
    return reader.arrangement
  }

  /// Returns the arrangement that the lines of a list describe.
  ///
  /// Stores only the ids in memory.
  ///
  /// - Throws: `CommandError` if a line does not name a row, if two lines name the same row, or if
  ///   the list is too long; `Failure` if the lines cannot be read.
  func read(_ lines: InputLines) throws -> Arrangement {
    var reader = ArrangementReader(board, section: section, labels: labels)
    try lines.forEach { number, line in try reader.take(line, number: number) }
    return reader.arrangement
  }
}

struct Arrangement {
  /// The board in the new order; unchanged if the list is empty.
  let board: BoardSnapshot
  /// Whether the list has no rows and no sections.
  let isEmpty: Bool
  /// The numbers of the lines whose texts differ from the texts of their rows, and the rows.
  let editedLines: [(number: Int, item: ItemID)]
}

private struct ArrangementReader {
  private let board: BoardSnapshot
  private let section: Int?
  private let labels: [ItemID: String]
  private let known: Set<ItemID>
  private var seen: Set<ItemID> = []
  private var sections: [BoardSnapshot.Section] = []
  private var editedLines: [(number: Int, item: ItemID)] = []

  init(_ board: BoardSnapshot, section: Int?, labels: [ItemID: String]) {
    self.board = board
    self.section = section
    self.labels = labels
    let listed = section.map { [board.sections[$0]] } ?? board.sections
    known = Set(listed.flatMap(\.items))
  }

  var arrangement: Arrangement {
    Arrangement(board: wanted, isEmpty: sections.isEmpty, editedLines: editedLines)
  }

  private var wanted: BoardSnapshot {
    guard let first = sections.first else { return board }
    guard let section else {
      return BoardSnapshot(revision: board.revision, sections: sections)
    }
    var all = board.sections
    all[section].items = first.items
    return BoardSnapshot(revision: board.revision, sections: all)
  }

  /// Reads the next line.
  ///
  /// Rows before the first line of a section belong to the board's first section.
  /// - Throws: `CommandError` if the line does not name a row, or an earlier line names this row.
  mutating func take(_ line: Substring, number: Int) throws(CommandError) {
    let line = line.drop(while: \.isWhitespace)
    if line.isEmpty || line.hasPrefix("#") { return }
    if section == nil, let name = Self.section(line) {
      sections.append(BoardSnapshot.Section(name: name))
      return
    }
    let item = try item(line, number: number)
    guard seen.insert(item).inserted else {
      throw CommandError(.usage, "line \(number): an earlier line has the same row \(item)")
    }
    if sections.isEmpty {
      sections.append(BoardSnapshot.Section(name: board.sections.first?.name ?? "main"))
    }
    sections[sections.count - 1].items.append(item)
    let text = line.drop { !$0.isWhitespace }.trimmingSpaces
    if !text.isEmpty, text != labels[item, default: ""] { editedLines.append((number, item)) }
  }

  private static func section(_ line: Substring) -> String? {
    let line = line.trimmingTrailingSpaces
    guard line.hasPrefix("["), line.hasSuffix("]"), line.count > 2 else { return nil }
    return String(line.dropFirst().dropLast())
  }

  /// The call that prints a valid list.
  private var printCall: SuggestedCall {
    let sections =
      section.map { [SuggestedCall.Option("--section", board.sections[$0].name)] } ?? []
    return SuggestedCall("apply", [], ["--print"] + sections)
  }

  private func item(_ line: Substring, number: Int) throws(CommandError) -> ItemID {
    let word = String(line.prefix { !$0.isWhitespace })
    guard let item = ItemID(word), known.contains(item) else {
      let whole = section == nil ? "this board" : "this section"
      throw CommandError(
        .usage, "line \(number): '\(word)' is not the id of a row of \(whole)",
        remedy: "To print a valid list: \(printCall)")
    }
    return item
  }
}

extension StringProtocol {
  /// The text without the spaces at both ends.
  var trimmingSpaces: String { String(drop { $0 == " " }).trimmingTrailingSpaces }

  /// The text without the spaces at its end.
  var trimmingTrailingSpaces: String {
    var end = endIndex
    while end > startIndex, self[index(before: end)] == " " { end = index(before: end) }
    return String(self[..<end])
  }
}
