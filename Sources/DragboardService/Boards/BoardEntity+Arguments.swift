import BoardModel
import DBus
import DragModel
import DragboardStore
import DragboardInterface

/// Conversions from arguments of calls to values of the board's model.
extension BoardEntity {
  /// Returns the row with an id.
  ///
  /// - Throws: NoSuchItem if the board does not have the row.
  func row(_ id: String, argument: String = "item") throws(DBusError) -> RowID {
    guard let row = ids.row(of: id), board.contains(row) else {
      throw noSuchItem(id, argument: argument)
    }
    return row
  }

  /// Returns the rows with these ids, in the order of the ids.
  ///
  /// - Throws: InvalidArgs if an id occurs twice; NoSuchItem if the board does not have a row.
  func rows(_ ids: [String]) throws(DBusError) -> [RowID] {
    // The set contains numbers, because comparing numbers is much faster than comparing texts.
    let known = ids.count > 1 ? Set(ids.compactMap(self.ids.row)) : []
    if known.count != ids.count { try ids.checkDistinct() }
    var rows: [RowID] = []
    rows.reserveCapacity(ids.count)
    for id in ids { rows.append(try row(id, argument: "items")) }
    return rows
  }

  /// Returns the row at an index path.
  ///
  /// - Throws: InvalidArgs if an index is out of range.
  func row(at section: UInt32, _ row: UInt32) throws(DBusError) -> RowID {
    let path = IndexPath(section: Int(section), row: Int(row))
    if let row = board.row(at: path) { return row }
    let error: BoardError =
      switch board.rowCount(inSection: path.section) {
      case nil:
        .indexOutOfRange(.section, given: path.section, valid: 0...board.sectionCount - 1)
      case let count?:
        .indexOutOfRange(.row, given: path.row, valid: count == 0 ? nil : 0...count - 1)
      }
    throw answer(to: error)
  }

  func noSuchItem(_ id: String, argument: String) -> DBusError {
    DBusError(
      .noSuchItem,
      "\(argument): board \(header.name.quoted) has no item \(id.quoted) (expected an id from GetRows, a lower-case UUID)"
    )
  }

  /// Returns the index that an argument names; nil for -1, which means the end.
  static func destination(_ value: Int32, argument: String = "row") throws(DBusError) -> Int? {
    guard value >= -1 else {
      throw DBusError(
        .invalidArgs,
        "\(argument): \(value) is not an index (expected 0 or more, or -1 for the end)")
    }
    return value == -1 ? nil : Int(value)
  }

  /// Returns the position of new rows in a section.
  ///
  /// It does not check whether the section exists, because the edit does.
  func path(_ section: UInt32, _ row: Int32) throws(DBusError) -> IndexPath {
    let row = try Self.destination(row)
    return IndexPath(
      section: Int(section), row: row ?? board.rowCount(inSection: Int(section)) ?? 0)
  }

  /// Returns the position of new rows in a section, after the check of ``checkInsertion(of:at:)``.
  func path(
    _ section: UInt32, _ row: Int32, forInsertionOf count: Int
  ) throws(DBusError) -> IndexPath {
    let row = try Self.destination(row)
    do throws(BoardError) {
      return try board.pathOfInsertion(
        of: count, inSection: Int(section), at: row, maxRows: maxRows)
    } catch { throw answer(to: error) }
  }

  /// Refuses a position that does not exist, and a number of rows that would exceed the board's
  /// limit.
  func checkInsertion(of count: Int, at path: IndexPath) throws(DBusError) {
    do throws(BoardError) {
      try board.checkInsertion(of: count, at: path, maxRows: maxRows)
    } catch { throw answer(to: error) }
  }

  /// Refuses a base that is not the board's revision; 0 means any revision.
  func checkBase(_ base: UInt64) throws(DBusError) {
    let revision = board.revision
    guard base != 0, base != revision else { return }
    guard base < revision else {
      throw DBusError(
        .invalidArgs, "base: \(base) is out of range (at most the revision, \(revision))")
    }
    throw DBusError(
      .staleRevision,
      "base: \(base) is not the board's revision, \(revision) (take a new snapshot, or use base 0)"
    )
  }

  /// Refuses to continue a call if the board has been deleted or cannot be read.
  func checkExists(in step: Step) throws(DBusError) {
    step.read(self)
    try step.readBack()
    guard !isDeleted else {
      throw DBusError(.unknownObject, "board: \(path) has been deleted")
    }
  }
}

extension [String] {
  /// Refuses a list that names an item twice.
  func checkDistinct(argument: String = "items") throws(DBusError) {
    guard count > 1 else { return }
    var seen = Set<String>(minimumCapacity: count)
    for id in self where !seen.insert(id).inserted {
      throw DBusError(.invalidArgs, "\(argument): \(id.quoted) occurs twice (expected once)")
    }
  }
}

extension BoardEntity {
  /// Returns the error that clients receive for a refused edit.
  func answer(to error: BoardError) -> DBusError {
    switch error {
    case .duplicateRow(let row):
      DBusError(.invalidArgs, "items: \(ids.id(of: row)) occurs twice (expected once)")
    case .invalidName(let fault): DBusError(.invalidArgs, "name: \(fault)")
    case .noSuchRow(let row): noSuchItem(ids.id(of: row), argument: "item")
    case .indexOutOfRange: DBusError(.invalidArgs, "\(error)")
    case .sectionExists: DBusError(.invalidArgs, "name: \(error)")
    case .lastSection: DBusError(.invalidArgs, "section: \(error)")
    case .notEditable(let row):
      DBusError(
        .notEditable, "item: \(ids.id(of: row)) is not editable (SetEditable can change this)")
    case .notMovable(let row):
      DBusError(.notMovable, "item: \(ids.id(of: row)) is not movable (SetMovable can change this)")
    case .limitExceeded(let limit, let max): .limit("board: \(limit.rawValue)", max)
    }
  }
}

extension DBusError {
  /// Returns the error for a call that would exceed a limit; `name` contains the argument or the
  /// object, a colon, and the limit.
  static func limit(_ name: String, _ max: Int) -> DBusError {
    DBusError(.limitsExceeded, "\(name) would be exceeded (at most \(max))")
  }
}
