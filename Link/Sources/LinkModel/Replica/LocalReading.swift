import BoardModel

/// The order of the rows of a daemon's board, computed from changes or a snapshot, and the rows
/// that must be read.
struct LocalReading {
  /// The daemon's board, with the keys of the shared board.
  ///
  /// New rows have no contents yet.
  private(set) var board: SharedBoard
  /// The parts that may differ from the board of the previous reading.
  private(set) var touched = TouchedParts()
  /// The rows whose contents are unknown.
  private(set) var unread: Set<RowKey> = []
  private(set) var revision: UInt64
  private var keys: KeyTable<ItemSubject, RowKey>
  private var items: KeyTable<SharedRow, ItemKey>
  private var newItems: [RowKey: ItemKey] = [:]
  private static let unknown = SharedRow(representations: [])

  /// Begins with the daemon's board of the replica.
  init(_ replica: Replica) {
    board = replica.shadow
    keys = replica.keys
    items = replica.items
    revision = replica.revision ?? 0
    for (key, item) in replica.intent?.insertions ?? [] {
      keys[item] = key
      items[key] = item
    }
  }

  /// Returns the key of the row with an id; nil if the id is unknown.
  func key(of item: ItemKey) -> RowKey? { keys[item] }

  /// The ids of rows that are new to the shared board and still on the daemon's board.
  var insertedItems: [LocalEdits.NewItem] {
    newItems.filter { board[$0.key] != nil }.sorted { $0.key < $1.key }
      .map { LocalEdits.NewItem(key: $0.key, item: $0.value) }
  }

  /// The paths and ids of the rows that must be read.
  var unreadPaths: [IndexPath: ItemKey] {
    var paths: [IndexPath: ItemKey] = [:]
    for key in unread {
      if let path = board.path(of: key), let item = items[key] { paths[path] = item }
    }
    return paths
  }

  /// Marks rows whose contents must be read again.
  mutating func forgetContents(of rows: some Sequence<RowKey>) {
    for key in rows where board[key] != nil {
      unread.insert(key)
      touched.rows.insert(key)
    }
  }

  mutating func touch(_ edit: SharedEdit) { touched.add(edit) }

  /// Records the contents of rows.
  ///
  /// The attributes that no local edit changes are copied from `old`, the board before the local
  /// edits.
  mutating func note(_ rows: [ItemKey: SharedRow], old: SharedBoard, force: Bool = false) {
    for (item, row) in rows {
      guard let key = keys[item], unread.remove(key) != nil || force else { continue }
      var row = row
      if let old = old[key] {
        (row.created, row.modified, row.application) = (old.created, old.modified, old.application)
        // The file is read only at the drop.
        if let reference = row.reference, reference == old.reference {
          row.representations = old.representations
          if row.name.isEmpty { row.name = old.name }
        }
      }
      if old[key] != row { touched.rows.insert(key) }
      _ = board.change(key) { $0 = row }
    }
  }

  /// Gives a row that has the former id of another row a new key.
  mutating func separate(
    _ item: ItemKey, _ row: SharedRow, using generator: inout some RandomNumberGenerator
  ) {
    guard let old = keys[item] else { return }
    items[old] = nil
    board.rename(old, to: newKey(of: item, using: &generator))
    note([item: row], old: SharedBoard(), force: true)
  }

  /// Returns the id of a row; nil if it is unknown.
  func item(of key: RowKey) -> ItemKey? { items[key] }

  /// Whether the board has the rows of a snapshot.
  func hasRows(of snapshot: LocalSnapshot) -> Bool {
    revision == snapshot.revision && board.sections.count == snapshot.sections.count
      && snapshot.sections.indices.allSatisfy { index in
        board.keys(inSection: index).elementsEqual(
          snapshot.sections[index].items.map { keys[$0] }
        ) { $0 == $1 }
      }
  }

  // MARK: Changes

  /// Applies changes; returns false if they do not fit the board.
  mutating func apply(
    _ changes: LocalChanges, using generator: inout some RandomNumberGenerator
  ) -> Bool {
    for change in changes.changes {
      guard apply(change, using: &generator) else { return false }
    }
    revision = changes.revision
    unread = unread.filter { board[$0] != nil }
    return true
  }

  private mutating func apply(
    _ change: LocalChange, using generator: inout some RandomNumberGenerator
  ) -> Bool {
    switch change {
    case .insert(let item, let path):
      // The id may be known: the undo of a deletion restores a row with its former id.
      let known = keys[item]
      let key = known ?? newKey(of: item, using: &generator)
      unread.insert(key)
      touched.rows.insert(key)
      return board.insert(key, Self.unknown, at: path)
    case .delete(let item, let path):
      guard let key = keys[item], board.key(at: path) == key else { return false }
      touched.rows.insert(key)
      return board.remove(key)
    case .move(let item, let source, let destination):
      guard let key = keys[item], board.key(at: source) == key else { return false }
      touched.rows.insert(key)
      return board.move(key, to: destination)
    case .reload(let item, let path):
      guard let key = keys[item], board.key(at: path) == key else { return false }
      forgetContents(of: [key])
      return true
    case .insertSection, .deleteSection, .moveSection, .renameSection:
      touched.sections = true
      return (try? applyToSections(change, using: &generator)) != nil
    }
  }

  private mutating func applyToSections(
    _ change: LocalChange, using generator: inout some RandomNumberGenerator
  ) throws(BoardError) {
    switch change {
    case .insertSection(let name, let index):
      try board.insertSection(.random(using: &generator), named: name, at: index)
    case .deleteSection(let index): try board.deleteSection(at: index)
    case .moveSection(let source, let destination):
      try board.moveSection(from: source, to: destination)
    case .renameSection(let name, let index): try board.renameSection(at: index, to: name)
    default: break
    }
  }

  private mutating func newKey(
    of item: ItemKey, using generator: inout some RandomNumberGenerator
  ) -> RowKey {
    let key = RowKey.random(using: &generator)
    keys[item] = key
    items[key] = item
    newItems[key] = item
    return key
  }

  // MARK: Snapshots

  /// Replaces the order by the order of a snapshot; returns false if the snapshot is invalid.
  ///
  /// Sections are identified by their names. All rows must be read again.
  mutating func apply(
    _ snapshot: LocalSnapshot, old: SharedBoard, using generator: inout some RandomNumberGenerator
  ) -> Bool {
    let known = Dictionary(uniqueKeysWithValues: zip(old.sectionNames, old.sections))
    var new: SharedBoard?
    touched.sections = true
    unread = []
    for (index, section) in snapshot.sections.enumerated() {
      let key = known[section.name] ?? .random(using: &generator)
      do throws(BoardError) {
        if new == nil {
          new = try SharedBoard(section: key, named: section.name)
        } else {
          try new?.insertSection(key, named: section.name, at: index)
        }
      } catch { return false }
      for (row, item) in section.items.enumerated() {
        let key = keys[item] ?? newKey(of: item, using: &generator)
        unread.insert(key)
        guard
          new?.insert(key, old[key] ?? Self.unknown, at: IndexPath(section: index, row: row))
            == true
        else { return false }
      }
    }
    guard let new else { return false }
    board = new
    revision = snapshot.revision
    touched.rows.formUnion(old.movedRows(to: new) ?? new.allKeys)
    touched.rows.formUnion(new.allKeys.subtracting(old.allKeys))
    touched.rows.formUnion(old.allKeys.subtracting(new.allKeys))
    return true
  }
}
