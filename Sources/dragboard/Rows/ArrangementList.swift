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

  /// What a list says the board shall be; a list of nothing says that nothing shall change.
  ///
  /// Rows before the first section are of the board's first.
  /// - Throws: `CommandError` where a line names no row, or one that was named before.
  func read(_ text: String) throws(CommandError) -> BoardSnapshot {
    var wanted = BoardSnapshot(revision: board.revision, sections: [])
    var seen: Set<ItemID> = []
    let known = Set(board.sections.flatMap(\.items))
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      let line = line.drop(while: \.isWhitespace)
      if line.isEmpty || line.hasPrefix("#") { continue }
      if let name = Self.section(line) {
        wanted.sections.append(BoardSnapshot.Section(name: name))
        continue
      }
      let item = try Self.item(line, number: index + 1, known: known)
      guard seen.insert(item).inserted else {
        throw CommandError(.usage, "line \(index + 1): row \(item) is in the list twice")
      }
      if wanted.sections.isEmpty {
        wanted.sections.append(BoardSnapshot.Section(name: board.sections.first?.name ?? "main"))
      }
      wanted.sections[wanted.sections.count - 1].items.append(item)
    }
    return wanted.sections.isEmpty ? board : wanted
  }

  private static func section(_ line: Substring) -> String? {
    let line = line.trimmingTrailingSpaces
    guard line.hasPrefix("["), line.hasSuffix("]"), line.count > 2 else { return nil }
    return String(line.dropFirst().dropLast())
  }

  private static func item(
    _ line: Substring, number: Int, known: Set<ItemID>
  ) throws(CommandError) -> ItemID {
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
