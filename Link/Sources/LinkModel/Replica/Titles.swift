/// The titles of deleted rows and sections that pending edits may name.
struct Titles: Sendable {
  var rows: [RowKey: String] = [:]
  var sections: [SectionKey: String] = [:]

  /// Records the title of the row or the section that an edit will delete from a board.
  mutating func noteDeletion(by edit: SharedEdit, from board: SharedBoard) {
    switch edit {
    case .delete(let key): note(key, on: board)
    case .deleteSection(let key): if let name = board.name(of: key) { sections[key] = name }
    default: break
    }
  }

  /// Records the title of a row of a board.
  mutating func note(_ key: RowKey, on board: SharedBoard) {
    if let row = board[key] { rows[key] = row.title }
  }

  /// Returns the title of the row or the section that an edit names; "" if it is unknown.
  func title(of edit: SharedEdit, on board: SharedBoard) -> String {
    switch edit {
    case .insert(_, let row, _): row.title
    case .insertSection(_, let name, _): name
    case .renameSection(let key, let name): board.name(of: key) ?? sections[key] ?? name
    case .moveSection(let key, _), .deleteSection(let key):
      board.name(of: key) ?? sections[key] ?? ""
    case .setContents(let key, let contents):
      board[key]?.title ?? rows[key] ?? contents.title
    case .move(let key, _), .delete(let key), .setFlags(let key, _, _), .setName(let key, _),
      .setStack(let key, _):
      board[key]?.title ?? rows[key] ?? ""
    }
  }
}

extension SharedBoard {
  fileprivate func name(of section: SectionKey) -> String? {
    index(of: section).map { sectionNames[$0] }
  }
}

extension SharedRow {
  /// The maximum number of characters of a title.
  static let maxTitleScalars = 60

  /// The suggested name, or the first line of the text, or the type.
  var title: String { name.isEmpty ? representations.title : name.shortened }
}

extension [SharedRow.Representation] {
  fileprivate var title: String {
    for representation in self where representation.type.hasPrefix("text/plain") {
      guard case .inline(let bytes) = representation.content else { continue }
      let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
      if let line = lines.first(where: { !$0.allSatisfy(\.isWhitespace) }) {
        return String(line.drop(while: \.isWhitespace)).shortened
      }
    }
    return first?.type ?? ""
  }
}

extension String {
  fileprivate var shortened: String {
    String(String.UnicodeScalarView(unicodeScalars.prefix(SharedRow.maxTitleScalars)))
  }
}
