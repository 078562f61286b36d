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

  /// The list: a line with the revision of the board; a line `id  text` for each row; for a whole board, a line
  /// `[name]` before each section.
  var text: String {
    let sections = board.sections.enumerated().filter { section == nil || $0.offset == section }
    return "# \(Self.revisionKey) \(board.revision)\n"
      + sections.map { _, section in
        let rows = section.items.map { item in
          "\(item)  \(labels[item] ?? "")".trimmingTrailingSpaces + "\n"
        }
        return (self.section == nil ? "[\(section.name)]\n" : "") + rows.joined()
      }.joined(separator: "\n")
  }

  /// The beginning of the comment that has the revision.
  fileprivate static let revisionKey = "revision:"

  /// Returns the arrangement that an edited list describes.
  ///
  /// An empty list changes nothing.
  ///
  /// - Throws: `CommandError` if a line does not name a row, or two lines name the same row.
  func read(_ text: String) throws(CommandError) -> ListedArrangement {
    var reader = ArrangementReader(board, section: section, labels: labels)
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      try reader.take(line, number: index + 1)
    }
    return ListedArrangement(reader)
  }

  /// Returns the arrangement that the lines of a list describe.
  ///
  /// Stores only the ids in memory.
  ///
  /// - Throws: `CommandError` if a line does not name a row, if two lines name the same row, or if
  ///   the list is too long; `Failure` if the lines cannot be read.
  func read(_ lines: InputLines) throws -> ListedArrangement {
    var reader = ArrangementReader(board, section: section, labels: labels)
    try lines.forEach { number, line in try reader.take(line, number: number) }
    return ListedArrangement(reader)
  }
}

struct ListedArrangement {
  /// The board whose rows the list names.
  private let present: BoardSnapshot
  /// The index of the section; nil for the whole board.
  private let section: Int?
  /// The sections of the list.
  private let sections: [BoardSnapshot.Section]
  /// The rows that the board does not have, and the errors for their lines.
  private let absent: [(item: ItemID, error: CommandError)]
  /// The revision of the board when the list was printed; nil if the list has no revision.
  let revision: UInt64?
  /// The numbers of the lines whose texts differ from the texts of their rows, and the rows.
  let editedLines: [(number: Int, item: ItemID)]

  fileprivate init(_ reader: ArrangementReader) {
    (present, section) = (reader.board, reader.section)
    (sections, absent) = (reader.sections, reader.absent)
    (revision, editedLines) = (reader.revision, reader.editedLines)
  }

  /// Whether the list has no rows and no sections.
  var isEmpty: Bool { sections.isEmpty && absent.isEmpty }

  /// Returns the board in the new order; unchanged if the list is empty.
  ///
  /// - Parameters:
  ///   - later: the edits since the list was printed. Rows that they have deleted are ignored in the list.
  ///   - isReplacing: whether rows that came later are deleted, if the list does not name them.
  /// - Returns: the board.
  /// - Throws: `CommandError` if a line does not name a row.
  func board(after later: LaterEdits, isReplacing: Bool) throws(CommandError) -> BoardSnapshot {
    if let line = absent.first(where: {
      !later.explainsAbsence(of: $0.item, isWhole: section == nil)
    }) {
      throw line.error
    }
    guard !sections.isEmpty else { return present }
    let edits = isReplacing ? LaterEdits() : later
    var wanted = present
    if let section {
      let listed = BoardSnapshot.Section(
        name: present.sections[section].name, items: sections.flatMap(\.items))
      wanted.sections[section] =
        edits.merged(into: [listed], from: [present.sections[section]], isWhole: false)[0]
    } else {
      wanted.sections = edits.merged(into: sections, from: present.sections, isWhole: true)
    }
    return wanted
  }
}

private struct ArrangementReader {
  let board: BoardSnapshot
  let section: Int?
  private let labels: [ItemID: String]
  private let known: Set<ItemID>
  private var seen: Set<ItemID> = []
  private(set) var sections: [BoardSnapshot.Section] = []
  private(set) var editedLines: [(number: Int, item: ItemID)] = []
  private(set) var absent: [(item: ItemID, error: CommandError)] = []
  private(set) var revision: UInt64?

  init(_ board: BoardSnapshot, section: Int?, labels: [ItemID: String]) {
    self.board = board
    self.section = section
    self.labels = labels
    let listed = section.map { [board.sections[$0]] } ?? board.sections
    known = Set(listed.flatMap(\.items))
  }

  /// Reads the next line.
  ///
  /// Rows before the first line of a section belong to the board's first section.
  /// - Throws: `CommandError` if the line does not name a row, or an earlier line names this row.
  mutating func take(_ line: Substring, number: Int) throws(CommandError) {
    let line = line.drop(while: \.isWhitespace)
    if line.isEmpty { return }
    if line.hasPrefix("#") { return try takeComment(line.dropFirst(), number: number) }
    if section == nil, let name = Self.section(line) {
      sections.append(BoardSnapshot.Section(name: name))
      return
    }
    let item = try item(line, number: number)
    guard known.contains(item) else {
      absent.append((item, unknown("\(item)", number: number)))
      return
    }
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

  /// Reads a comment, which can have the revision.
  private mutating func takeComment(_ text: Substring, number: Int) throws(CommandError) {
    let text = text.trimmingSpaces
    let key = ArrangementList.revisionKey
    guard text.hasPrefix(key) else { return }
    guard let revision = UInt64(text.dropFirst(key.count).trimmingSpaces),
      self.revision == nil || self.revision == revision
    else {
      throw CommandError(
        .usage, "line \(number): the revision is invalid (expected one number in the list)",
        remedy: "To print a valid list: \(printCall)")
    }
    self.revision = revision
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
    guard let item = ItemID(word) else { throw unknown(word, number: number) }
    return item
  }

  /// Returns the error for a line that does not name a row.
  private func unknown(_ word: String, number: Int) -> CommandError {
    let whole = section == nil ? "this board" : "this section"
    return CommandError(
      .usage, "line \(number): '\(word)' is not the id of a row of \(whole)",
      remedy: "To print a valid list: \(printCall)")
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
