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

  /// The order of the rows.
  ///
  /// The flags in this board are unused, because `rows` contains the flags of the rows.
  private(set) var board = Board()
  /// The keys of the sections, in their order.
  public private(set) var sections: [SectionKey] = [.first]
  /// Sections that were inserted with the name of an existing section, each with this existing
  /// section.
  private(set) var aliases: [SectionKey: SectionKey] = [:]
  /// The rows by their numbers in `board`.
  private var rows = EncodedRows()
  /// The numbers of the rows in `board`.
  private var numbers = KeyTable<SharedRow, UInt32>()
  /// Numbers of deleted rows that new rows reuse.
  private var freeNumbers: [UInt32] = []
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
  public var count: Int { numbers.count }

  /// The names of the sections, in their order.
  public var sectionNames: [String] { board.sectionNames }

  /// Returns the row with a key; nil if it is not on the board.
  public subscript(key: RowKey) -> SharedRow? { numbers[key].map { rows[Int($0)] } }

  /// Returns the row with a key in the encoding of the log; nil if it is not on the board.
  func bytes(of key: RowKey) -> ArraySlice<UInt8>? { numbers[key].map { rows.bytes(of: Int($0)) } }

  /// Returns the number of rows of a section; 0 if it does not exist.
  public func rowCount(inSection section: Int) -> Int { board.rowCount(inSection: section) ?? 0 }

  /// Returns the key of the row at a path; nil if there is none.
  public func key(at path: IndexPath) -> RowKey? {
    board.row(at: path).map { rows.key(of: Int($0.rawValue)) }
  }

  /// Returns the path of a row; nil if it is not on the board.
  public func path(of key: RowKey) -> IndexPath? {
    numbers[key].flatMap { board.indexPath(of: RowID(UInt64($0))) }
  }

  /// Returns the keys of a section's rows, in order.
  public func keys(inSection section: Int) -> [RowKey] {
    board.rows(inSection: section, from: 0, count: .max)
      .map { rows.key(of: Int($0.row.rawValue)) }
  }

  /// Returns the index of a section; nil if it was deleted.
  ///
  /// If the section was inserted with the name of an existing section, returns the index of the
  /// existing section.
  public func index(of section: SectionKey) -> Int? {
    sections.firstIndex(of: aliases[section] ?? section)
  }

  /// The keys of all rows.
  var allKeys: Set<RowKey> { Set(numbers.keys) }

  /// Returns the minimum set of rows whose moves put all common rows into the order of another
  /// board; nil if too many rows have to move.
  func movedRows(to other: SharedBoard) -> Set<RowKey>? {
    let wanted = zip(other.sections.indices, other.sectionNames).map { index, name in
      SnapshotSection(
        name: name,
        rows: other.keys(inSection: index).compactMap { numbers[$0].map { RowID(UInt64($0)) } })
    }
    var copy = board
    guard let arrangement = try? Arrangement(wanted) else { return nil }
    do {
      var moved: Set<RowKey> = []
      for change in try copy.apply(arrangement, maxSections: .max)?.changes ?? [] {
        switch change {
        case .move(let row, _, _): moved.insert(rows.key(of: Int(row.rawValue)))
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
    guard numbers[key] == nil else { return false }
    let number = freeNumbers.last ?? UInt32(rows.endNumber)
    guard (try? board.insert([RowID(UInt64(number))], at: path, maxRows: .max)) != nil else {
      return false
    }
    _ = freeNumbers.popLast()
    rows.set(Int(number), to: row, key)
    numbers[key] = number
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
    guard let path = path(of: key), let number = numbers.removeValue(forKey: key),
      (try? board.delete(at: path)) != nil
    else { return false }
    rows.remove(Int(number))
    freeNumbers.append(number)
    removals += 1
    if removals.isMultiple(of: Self.forgottenRemovals) { _ = board.takeUnsavedChanges() }
    return true
  }

  /// Changes a row; returns false if it is not on the board.
  mutating func change(_ key: RowKey, _ change: (inout SharedRow) -> Void) -> Bool {
    guard let number = numbers[key] else { return false }
    var row = rows[Int(number)]
    change(&row)
    rows.set(Int(number), to: row, key)
    return true
  }

  /// Gives a row another key; does nothing if the row is not on the board.
  mutating func rename(_ key: RowKey, to new: RowKey) {
    guard numbers[new] == nil, let number = numbers.removeValue(forKey: key) else { return }
    numbers[new] = number
    rows.setKey(of: Int(number), to: new)
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
