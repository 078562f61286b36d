import DBus
import DragboardInterface

/// The effects of edits on a board, in the simplest form.
extension BoardState {
  /// Makes the edit, if the board allows it.
  ///
  /// - Parameters:
  /// - edit: the edit.
  /// - newID: returns the id of a new row of that text.
  /// - Returns: whether the edit changed the board, and so increased the revision.
  mutating func make(_ edit: Edit, newID: (String) -> String) -> Bool {
    var changed = self
    guard changed.apply(edit, newID), changed.sections != sections || edit.isReload else {
      return false
    }
    changed.revision += 1
    self = changed
    return true
  }

  /// Returns whether the edit is allowed; a refused edit may leave a partly changed value.
  private mutating func apply(_ edit: Edit, _ newID: (String) -> String) -> Bool {
    switch edit {
    case .insert(let texts, let section, let row), .dropTexts(let texts, let section, let row):
      insert(texts.map { Row(id: newID($0), text: $0) }, Int(section), Int(row))
    case .setText(let item, let text): change(item) { $0.setText(text) }
    case .setEditable(let item, let open):
      change(item) {
        $0.isEditable = open; return true
      }
    case .setMovable(let item, let open):
      change(item) {
        $0.isMovable = open; return true
      }
    case .setPinned(let item, let pinned):
      change(item) {
        $0.isPinned = pinned; return true
      }
    case .moveRow(let fromSection, let fromRow, let toSection, let toRow):
      moveRow(Int(fromSection), Int(fromRow), Int(toSection), Int(toRow))
    case .moveItems(let items, let section, let row): move(items, Int(section), Int(row))
    case .dropRow(let item, let section, let row): move([item], Int(section), Int(row))
    case .deleteRow(let section, let row):
      delete(id(Int(section), Int(row)).map { [$0] } ?? ["no such row"])
    case .deleteItems(let items): delete(items)
    case .clear: clear()
    case .insertSection, .renameSection, .moveSection, .deleteSection: applyToSections(edit)
    case .applyOrder(let base, let section, let items):
      (base == 0 || base == revision) && order(Int(section), items)
    case .applySnapshot(let base, let sections):
      (base == 0 || base == revision) && arrange(sections)
    // The effect of these edits depends on more than the current board.
    case .undo, .redo: false
    }
  }

  // MARK: Rows

  /// Returns the id of the row at a position.
  func id(_ section: Int, _ row: Int) -> String? {
    guard sections.indices ~= section, sections[section].rows.indices ~= row else { return nil }
    return sections[section].rows[row].id
  }

  /// Returns the row with an id.
  func row(_ id: String) -> Row? { sections.lazy.flatMap(\.rows).first { $0.id == id } }

  /// Removes rows.
  mutating func remove(_ isDoomed: (Row) -> Bool) {
    for section in sections.indices { sections[section].rows.removeAll(where: isDoomed) }
  }

  /// Inserts rows; -1 is the end of the section.
  mutating func insert(_ rows: [Row], _ section: Int, _ row: Int) -> Bool {
    guard sections.indices ~= section else { return false }
    let index = row == -1 ? sections[section].rows.count : row
    guard 0...sections[section].rows.count ~= index else { return false }
    sections[section].rows.insert(contentsOf: rows, at: index)
    return true
  }

  /// Changes a row; returns false if the row is missing or `body` returns false.
  mutating func change(_ id: String, _ body: (inout Row) -> Bool) -> Bool {
    for section in sections.indices {
      if let row = sections[section].rows.firstIndex(where: { $0.id == id }) {
        return body(&sections[section].rows[row])
      }
    }
    return false
  }

  private mutating func moveRow(
    _ fromSection: Int, _ fromRow: Int, _ toSection: Int, _ toRow: Int
  ) -> Bool {
    guard let id = id(fromSection, fromRow), sections.indices ~= toSection else { return false }
    return move([id], toSection, toRow)
  }

  private mutating func move(_ items: [String], _ section: Int, _ row: Int) -> Bool {
    let moved = items.compactMap(self.row)
    guard moved.count == items.count, moved.allSatisfy(\.isMovable) else { return false }
    remove { items.contains($0.id) }
    return insert(moved, section, row)
  }

  private mutating func delete(_ items: [String]) -> Bool {
    let doomed = items.compactMap(row)
    guard doomed.count == items.count, doomed.allSatisfy(\.isEditable) else { return false }
    remove { items.contains($0.id) }
    return true
  }

  private mutating func clear() -> Bool {
    remove { $0.isEditable && !$0.isPinned }
    return true
  }

  // MARK: Arrangements

  private mutating func order(_ section: Int, _ items: [String]) -> Bool {
    guard sections.indices ~= section,
      items.sorted() == sections[section].rows.map(\.id).sorted()
    else { return false }
    var wanted = sections
    wanted[section].rows = items.compactMap(row)
    return replace(by: wanted)
  }

  private mutating func arrange(_ arrangement: [BoardInterface.Section]) -> Bool {
    let wanted = arrangement.map { Section(name: $0.members.0, rows: $0.members.1.compactMap(row)) }
    let rows = wanted.flatMap(\.rows).map(\.id)
    guard !wanted.isEmpty, rows.count == arrangement.map(\.members.1.count).reduce(0, +),
      Set(rows).count == rows.count, Set(wanted.map(\.name)).count == wanted.count,
      sections.flatMap(\.rows).allSatisfy({ $0.isEditable || rows.contains($0.id) })
    else { return false }
    return replace(by: wanted)
  }

  /// Replaces the sections, if the rows that cannot be moved stay in their sections and in order.
  private mutating func replace(by wanted: [Section]) -> Bool {
    let left = Set(wanted.flatMap(\.rows).map(\.id))
    func fixed(_ sections: [Section]) -> [String: [String]] {
      let rows = sections.map { section in
        (section.name, section.rows.filter { !$0.isMovable && left.contains($0.id) }.map(\.id))
      }
      return Dictionary(rows) { $1 }.filter { !$1.isEmpty }
    }
    guard fixed(sections) == fixed(wanted) else { return false }
    sections = wanted
    return true
  }

  // MARK: Sections

  private mutating func applyToSections(_ edit: Edit) -> Bool {
    switch edit {
    case .insertSection(let name, let section):
      let index = section == -1 ? sections.count : Int(section)
      guard 0...sections.count ~= index else { return false }
      sections.insert(Section(name: name, rows: []), at: index)
    case .renameSection(let section, let name):
      guard sections.indices ~= Int(section) else { return false }
      sections[Int(section)].name = name
    case .moveSection(let from, let to):
      guard sections.indices ~= Int(from), sections.indices ~= Int(to) else { return false }
      sections.insert(sections.remove(at: Int(from)), at: Int(to))
    case .deleteSection(let section):
      guard sections.indices ~= Int(section), sections.count > 1,
        sections[Int(section)].rows.allSatisfy(\.isEditable)
      else { return false }
      sections.remove(at: Int(section))
    default: return false
    }
    return true
  }
}

extension BoardState.Row {
  /// Creates a row with the flags of a new row.
  init(id: String, text: String) {
    self.init(
      id: id, types: ["text/plain;charset=utf-8"], isEditable: true, isMovable: true,
      isPinned: false, text: text)
  }

  fileprivate mutating func setText(_ text: String) -> Bool {
    guard isEditable else { return false }
    self.text = text
    return true
  }
}

extension Edit {
  /// Whether the edit makes a revision without changing the order of the board.
  fileprivate var isReload: Bool { if case .setText = self { true } else { false } }
}
