import DragboardClient

/// A sentence that describes the changes of an edit.
struct ChangeSummary {
  private let changes: [BoardChange]
  private let texts: RowTexts

  /// The maximum number of rows that the sentence names for each kind of change.
  private static let maxTextCount = 3

  /// - Parameters:
  ///   - changes: the changes of the edit.
  ///   - texts: the texts of the rows.
  init(_ changes: [BoardChange], _ texts: RowTexts) {
    self.changes = changes
    self.texts = texts
  }

  /// The sentence: `deleted 2 rows (Buy stamps, Call the garage)`.
  var text: String {
    var verbs: [String] = []
    var items: [String: [ItemID]] = [:]
    for change in changes {
      guard let (verb, item) = Self.edit(change) else { continue }
      if items[verb] == nil { verbs.append(verb) }
      items[verb, default: []].append(item)
    }
    let edits = verbs.map { rows($0, items[$0] ?? []) }
    return (edits + changes.compactMap(Self.section)).joined(separator: ", ")
  }

  private func rows(_ verb: String, _ items: [ItemID]) -> String {
    let shown = items.prefix(Self.maxTextCount).compactMap { texts[$0] }
    let more = items.count > Self.maxTextCount ? ", …" : ""
    let list = shown.isEmpty ? "" : " (\(shown.joined(separator: ", "))\(more))"
    return "\(verb) \(Amounts.count(items.count, "row"))\(list)"
  }

  private static func edit(_ change: BoardChange) -> (verb: String, item: ItemID)? {
    switch change {
    case .insert(let item, _): ("inserted", item)
    case .delete(let item, _): ("deleted", item)
    case .move(let item, _, _): ("moved", item)
    case .reload(let item, _): ("changed", item)
    case .insertSection, .deleteSection, .moveSection, .renameSection: nil
    }
  }

  private static func section(_ change: BoardChange) -> String? {
    switch change {
    case .insertSection(let name, _): "inserted section '\(name)'"
    case .deleteSection(let name, _): "deleted section '\(name)'"
    case .moveSection(let name, _, _): "moved section '\(name)'"
    case .renameSection(let name, _): "renamed a section to '\(name)'"
    case .insert, .delete, .move, .reload: nil
    }
  }
}
