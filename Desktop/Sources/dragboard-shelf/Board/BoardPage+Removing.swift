import DragboardClient
import ShelfModel

/// Edits that remove rows. The button of a toast undoes them.
extension BoardPage {
  /// Deletes rows, except locked ones.
  func delete(_ items: [ItemID]) {
    guard !items.isEmpty else { return }
    edit { [weak self] in
      guard let self else { return }
      let facts = try await facts(of: items)
      let locked = facts.filter { !$0.isEditable }
      let free = items.filter { item in !locked.contains { $0.id == item } }
      let kept =
        locked.isEmpty
        ? ""
        : Self.sentence(
          about: locked, { localized("%1 is locked", $0) },
          { counted("One row is locked", "%1 rows are locked", $0) })
      guard !free.isEmpty else { return report(kept) }
      let name = name(of: free)
      let revision = try await board.delete(free)
      report([localized("%1 deleted", name), kept].filter { !$0.isEmpty }.joined(separator: ". ")) {
        [weak self] in self?.undo(revision)
      }
    }
  }

  /// Deletes every row that is neither locked nor pinned.
  func clear() {
    edit { [weak self] in
      guard let self else { return }
      let count = snapshot.count
      let revision = try await board.clear()
      let kept = try await board.info().count
      report(counted("One row deleted", "%1 rows deleted", count - kept)) { [weak self] in
        self?.undo(revision)
      }
    }
  }

  /// Whether rows are deleted after they were dragged to another application.
  var removesDraggedOut: Bool {
    get { ShelfSettings.removesDraggedOut(from: board.id) }
    set { ShelfSettings.setRemovesDraggedOut(newValue, from: board.id) }
  }

  /// Deletes rows after another application has received a copy of them.
  func removeDraggedOut(_ items: [ItemID]) async throws {
    guard !items.isEmpty else { return }
    let name = name(of: items)
    let revision = try await board.delete(items)
    report(localized("%1 removed after dragging out", name)) { [weak self] in self?.undo(revision) }
  }

  /// Deletes rows after another application has received them as a move.
  func removeMoved(_ items: [ItemID]) async throws {
    let name = name(of: items)
    let paths = addresses(of: items).compactMap { Addresses.pathBytes(of: $0) }
    let revision = try await board.delete(items)
    report(localized("%1 moved to another application", name)) { [weak self] in
      self?.undo(revision) { [weak self] in
        let gone = await paths.asyncFilter { path in
          if let file = await FilePreviewReader.read(path) { file.fileType == nil } else { false }
        }
        if !gone.isEmpty { self?.report(localized("The row is restored, but its file was moved.")) }
      }
    }
  }

  /// Undoes an edit if it is still the latest edit of the board.
  func undo(_ revision: UInt64, then body: @escaping () async -> Void = {}) {
    edit { [weak self] in
      guard let self else { return }
      guard try await board.info().revision == revision else {
        return report(
          localized("The board has changed in the meantime. Ctrl+Z undoes its latest change."))
      }
      try await board.history.undo()
      await body()
    }
  }

  /// Reads the facts of rows from the daemon.
  ///
  /// `snapshot` has the positions of the rows; nil is the latest known snapshot.
  func facts(of items: [ItemID], in snapshot: BoardSnapshot? = nil) async throws -> [RowFacts] {
    let snapshot = snapshot ?? self.snapshot
    var facts: [RowFacts] = []
    var rest = Set(items)
    for section in snapshot.sections.indices {
      let all = snapshot.sections[section].items
      var first = 0
      while !rest.isEmpty, let next = all[first...].firstIndex(where: rest.contains) {
        let page = try await board.page(
          ofSection: section, from: next, count: min(rest.count, 1000))
        guard !page.rows.isEmpty else { break }
        facts += page.rows.filter { rest.remove($0.id) != nil }.map(RowFacts.init)
        first = min(next + page.rows.count, all.count)
      }
    }
    return facts
  }

  /// Returns a description of rows: the title of a single row, or the number of rows.
  func name(of items: [ItemID]) -> String {
    guard items.count == 1, let item = items.first else {
      return counted("One row", "%1 rows", items.count)
    }
    let title = previews[item]?.title ?? rows[item]?.title ?? localized("Row")
    return Self.quoted(title)
  }

  private static func quoted(_ title: String) -> String {
    let line = title.prefix { !$0.isNewline }
    return localized("“%1”", line.count > 30 ? "\(line.prefix(29))…" : String(line))
  }

  private static func sentence(
    about rows: [RowFacts], _ one: (String) -> String, _ several: (Int) -> String
  ) -> String {
    rows.count == 1 ? one(quoted(rows[0].title)) : several(rows.count)
  }

  /// Moves rows, except rows whose position is locked.
  ///
  /// Sets their stack if `stack` is not nil and none of the rows is locked.
  func move(
    _ items: [ItemID], toSection section: Int, at row: Int? = nil, stack: String? = nil
  ) {
    edit { [weak self] in
      guard let self else { return }
      let facts = try await facts(of: items)
      let fixed = facts.filter { !$0.isMovable }
      let free = items.filter { item in !fixed.contains { $0.id == item } }
      if !fixed.isEmpty {
        report(
          Self.sentence(
            about: fixed, { localized("The position of %1 is locked", $0) },
            {
              counted(
                "The position of one row is locked", "The positions of %1 rows are locked", $0)
            }))
      }
      guard !free.isEmpty else { return }
      if let stack, facts.allSatisfy(\.isEditable) {
        try await board.stack(free, as: stack, inSection: section, at: row)
      } else {
        try await board.move(free, toSection: section, row: row)
      }
    }
  }
}

extension Array {
  fileprivate func asyncFilter(_ isIncluded: (Element) async -> Bool) async -> [Element] {
    var found: [Element] = []
    for element in self where await isIncluded(element) { found.append(element) }
    return found
  }
}
