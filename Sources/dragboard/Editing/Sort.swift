import ArgumentParser
import DragboardClient

/// `dragboard sort`.
struct Sort: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sort", abstract: "Sort the rows of a section.",
    discussion: """
      Rows with a locked position keep their order among themselves. If another client edits the board meanwhile, \
      nothing is changed, and the exit code is 77.

      EXAMPLES:
        dragboard sort
        dragboard sort --section later --by age --reverse
      """)

  /// The sort key.
  enum Key: String, ExpressibleByArgument, CaseIterable {
    case text, age, size, type
  }

  @Option(
    help: ArgumentHelp("The section (default: the first).", valueName: "name"),
    completion: .sections)
  var section: String?
  @Option(help: "Sort key.")
  var by = Key.text
  @Flag(help: "Sort in descending order.")
  var reverse = false
  @OptionGroup var board: BoardOptions
  @OptionGroup var notice: NoticeOptions
  @OptionGroup var connection: ConnectionOptions

  func run() throws {
    try runEdit(on: connection, board, notice) { board in
      let info = try await board.info()
      let section = try SectionNames(info.sections).index(of: section)
      var rows: [Row] = []
      var pages = BoardPages(board, sections: section..<section + 1)
      while let page = try await pages.page() { rows += page.rows }
      let sorted = sorted(rows)
      guard sorted != rows else { return }
      try await board.apply(order: sorted.map(\.id), ofSection: section, base: info.revision)
    }
  }

  /// Returns the rows sorted by the key.
  ///
  /// Rows with equal keys keep their order.
  private func sorted(_ rows: [Row]) -> [Row] {
    let places = rows.indices.sorted { left, right in
      if precedes(rows[left], rows[right]) { return !reverse }
      if precedes(rows[right], rows[left]) { return reverse }
      return left < right
    }
    return places.map { rows[$0] }
  }

  private func precedes(_ left: Row, _ right: Row) -> Bool {
    switch by {
    case .text: left.preview.lowercased() < right.preview.lowercased()
    case .age: left.created < right.created
    case .size: left.byteCount < right.byteCount
    case .type: (left.types.first?.rawValue ?? "") < (right.types.first?.rawValue ?? "")
    }
  }
}
