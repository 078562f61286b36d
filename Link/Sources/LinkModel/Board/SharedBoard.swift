public import BoardModel

/// A board whose rows and sections have keys.
///
/// All machines that have applied the same edits in the same order have equal boards. An edit takes
/// some microseconds on a board of any size. Copies share the parts of their storage that are not
/// edited afterwards, so a link with three boards needs the memory of one.
public struct SharedBoard: Sendable {
  /// The maximum number of rows.
  public static let maxRows = 1_000_000
  /// The maximum number of sections.
  public static let maxSections = 256

  private struct Entry: Sendable {
    /// The number of the row in `board`.
    let handle: UInt32
    /// The row in the encoding of the log, which needs a third of the memory.
    private var bytes: [UInt8]

    init(_ handle: RowID, _ row: SharedRow) {
      self.handle = UInt32(handle.rawValue)
      bytes = Self.encode(row)
    }

    private static func encode(_ row: SharedRow) -> [UInt8] {
      var writer = ByteWriter()
      writer.write(row)
      // The writer's array has memory for more bytes.
      return Array(writer.bytes[...])
    }

    var row: SharedRow {
      get {
        var reader = ByteReader(bytes)
        // Only `encode` makes the bytes, and they are never stored or received.
        guard let row = try? reader.readKnownRow() else {
          preconditionFailure("the bytes are those of a row")
        }
        return row
      }
      set { bytes = Self.encode(newValue) }
    }

    var id: RowID { RowID(UInt64(handle)) }
  }

  /// The order of the rows.
  ///
  /// The flags in this board are unused, because `entries` contains the flags of the rows.
  private(set) var board = Board()
  /// The keys of the sections, in their order.
  public private(set) var sections: [SectionKey] = [.first]
  /// Sections that were inserted with the name of an existing section, each with this existing
  /// section.
  private(set) var aliases: [SectionKey: SectionKey] = [:]
  private var entries = KeyTable<SharedRow, Entry>()
  /// The keys of the rows; the index is the number of the row in `board`.
  private var keys: [RowKey] = []
  /// Numbers of deleted rows that new rows reuse.
  private var freeHandles: [RowID] = []
  /// The number of removals.
  private var removals = 0
  /// The number of removals after which `board` forgets that it has changes to save.
  private static let forgottenRemovals = 1_024

  /// Creates a board without rows, with one section called `main`.
  public init() {}

  /// Creates a board without rows, with one section.
  init(section: SectionKey, named name: String) throws(BoardError) {
    sections = [section]
    _ = try board.renameSection(0, to: name)
  }

  // MARK: Reading

  /// The number of rows.
  public var count: Int { entries.count }

  /// The names of the sections, in their order.
  public var sectionNames: [String] { board.sectionNames }

  /// Returns the row with a key; nil if it is not on the board.
  public subscript(key: RowKey) -> SharedRow? { entries[key]?.row }

  /// Returns the number of rows of a section; 0 if it does not exist.
  public func rowCount(inSection section: Int) -> Int { board.rowCount(inSection: section) ?? 0 }

  /// Returns the key of the row at a path; nil if there is none.
  public func key(at path: IndexPath) -> RowKey? {
    board.row(at: path).map { keys[Int($0.rawValue)] }
  }

  /// Returns the path of a row; nil if it is not on the board.
  public func path(of key: RowKey) -> IndexPath? {
    entries[key].flatMap { board.indexPath(of: $0.id) }
  }

  /// Returns the keys of a section's rows, in order.
  public func keys(inSection section: Int) -> [RowKey] {
    board.rows(inSection: section, from: 0, count: .max).map { keys[Int($0.row.rawValue)] }
  }

  /// Returns the index of a section; nil if it was deleted.
  ///
  /// If the section was inserted with the name of an existing section, returns the index of the
  /// existing section.
  public func index(of section: SectionKey) -> Int? {
    sections.firstIndex(of: aliases[section] ?? section)
  }

  /// The keys of all rows.
  var allKeys: Set<RowKey> { Set(entries.keys) }

  /// Returns the minimum set of rows whose moves put all common rows into the order of another
  /// board; nil if too many rows have to move.
  func movedRows(to other: SharedBoard) -> Set<RowKey>? {
    let wanted = zip(other.sections.indices, other.sectionNames).map { index, name in
      SnapshotSection(
        name: name, rows: other.keys(inSection: index).compactMap { entries[$0]?.id })
    }
    var copy = board
    guard let arrangement = try? Arrangement(wanted) else { return nil }
    do {
      var moved: Set<RowKey> = []
      for change in try copy.apply(arrangement, maxSections: .max)?.changes ?? [] {
        switch change {
        case .move(let row, _, _): moved.insert(keys[Int(row.rawValue)])
        case .reset: return nil
        default: break
        }
      }
      return moved
    } catch { return nil }
  }

  /// This board without aliases.
  ///
  /// A daemon's board has no aliases, because each of its sections has only one key.
  var withoutAliases: SharedBoard {
    var board = self
    board.aliases = [:]
    return board
  }

  // MARK: Changing the order

  /// Inserts a row; returns false if the path does not exist or the row is already on the board.
  mutating func insert(_ key: RowKey, _ row: SharedRow, at path: IndexPath) -> Bool {
    guard entries[key] == nil else { return false }
    let handle = freeHandles.popLast() ?? RowID(UInt64(keys.count))
    guard (try? board.insert([handle], at: path, maxRows: .max)) != nil else {
      freeHandles.append(handle)
      if handle.rawValue == UInt64(keys.count) { keys.append(key) }
      return false
    }
    if handle.rawValue == UInt64(keys.count) {
      keys.append(key)
    } else {
      keys[Int(handle.rawValue)] = key
    }
    entries[key] = Entry(handle, row)
    return true
  }

  /// Moves a row to a path of the board without this row; returns false if the row or the path does
  /// not exist.
  mutating func move(_ key: RowKey, to path: IndexPath) -> Bool {
    guard let source = self.path(of: key) else { return false }
    do { _ = try board.move(from: source, to: path) } catch { return false }
    return true
  }

  /// Removes a row; returns false if it is not on the board.
  mutating func remove(_ key: RowKey) -> Bool {
    guard let path = path(of: key), let entry = entries.removeValue(forKey: key),
      (try? board.delete(at: path)) != nil
    else { return false }
    freeHandles.append(entry.id)
    removals += 1
    if removals.isMultiple(of: Self.forgottenRemovals) { _ = board.takeUnsavedChanges() }
    return true
  }

  /// Changes a row; returns false if it is not on the board.
  mutating func change(_ key: RowKey, _ change: (inout SharedRow) -> Void) -> Bool {
    guard var entry = entries[key] else { return false }
    change(&entry.row)
    entries[key] = entry
    return true
  }

  /// Gives a row another key; does nothing if the row is not on the board.
  mutating func rename(_ key: RowKey, to new: RowKey) {
    guard entries[new] == nil, let entry = entries.removeValue(forKey: key) else { return }
    entries[new] = entry
    keys[Int(entry.handle)] = new
  }

  // MARK: Changing the sections

  /// Gives the sections other keys, in their order.
  mutating func identifySections(as keys: [SectionKey]) {
    precondition(keys.count == sections.count)
    sections = keys
  }

  mutating func insertSection(
    _ key: SectionKey, named name: String, at index: Int
  ) throws(BoardError) {
    _ = try board.insertSection(named: name, at: index, maxSections: Self.maxSections)
    sections.insert(key, at: index)
  }

  mutating func renameSection(at index: Int, to name: String) throws(BoardError) {
    _ = try board.renameSection(index, to: name)
  }

  mutating func moveSection(from source: Int, to destination: Int) throws(BoardError) {
    _ = try board.moveSection(from: source, to: destination)
    sections.insert(sections.remove(at: source), at: destination)
  }

  /// Deletes a section, which must be empty.
  mutating func deleteSection(at index: Int) throws(BoardError) {
    _ = try board.deleteSection(index)
    let key = sections.remove(at: index)
    for (alias, _) in aliases where aliases[alias] == key { aliases[alias] = nil }
  }

  /// Records that a section is an alias of an existing section.
  mutating func alias(_ section: SectionKey, as other: SectionKey) { aliases[section] = other }
}

extension SharedBoard: Equatable {
  /// Whether sections, rows and their order are equal.
  public static func == (one: SharedBoard, other: SharedBoard) -> Bool {
    one.sections == other.sections && one.sectionNames == other.sectionNames
      && one.count == other.count
      && one.sections.indices.allSatisfy { section in
        let keys = one.keys(inSection: section)
        return keys == other.keys(inSection: section) && keys.allSatisfy { one[$0] == other[$0] }
      }
  }
}
