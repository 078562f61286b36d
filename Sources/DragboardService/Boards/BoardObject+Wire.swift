import BoardModel
import DBus
import DragModel
import DragboardInterface

/// Between what the bus carries and what the model takes.
extension BoardObject {
  /// The row with that id.
  ///
  /// - Throws: NoSuchItem where the board holds none.
  func row(_ id: String, argument: String = "item") throws(DBusError) -> RowID {
    guard let row = service.ids.row(of: id), board.contains(row) else {
      throw noSuchItem(id, argument: argument)
    }
    return row
  }

  /// Refuses a list that has too many elements, before anything of it is decoded.
  ///
  /// - Throws: LimitsExceeded, which names the argument.
  func checkList(
    _ index: Int, _ argument: String, of call: Call, atMost most: Int = BoardInterface.maxListCount
  ) throws(DBusError) {
    guard call.elementCount(ofArgument: index, upTo: most) <= most else {
      throw .limit("\(argument): the number of elements in a call", most)
    }
  }

  /// The rows with those ids, in order.
  ///
  /// - Throws: InvalidArgs for an id that is named twice, NoSuchItem.
  func rows(_ ids: [String]) throws(DBusError) -> [RowID] {
    // Numbers are compared in a fraction of the time that texts take.
    let known = ids.compactMap(service.ids.row)
    let areDistinct = ids.count == 1 || (known.count == ids.count && Set(known).count == ids.count)
    if !areDistinct { try checkDistinct(ids) }
    var rows: [RowID] = []
    rows.reserveCapacity(ids.count)
    for id in ids { rows.append(try row(id, argument: "items")) }
    return rows
  }

  /// Refuses a list that names an item twice.
  func checkDistinct(_ ids: [String], argument: String = "items") throws(DBusError) {
    guard ids.count > 1 else { return }
    var seen = Set<String>(minimumCapacity: ids.count)
    for id in ids where !seen.insert(id).inserted {
      throw DBusError(.invalidArgs, "\(argument) names \(id.quoted) twice; name each item once")
    }
  }

  func noSuchItem(_ id: String, argument: String) -> DBusError {
    DBusError(
      .noSuchItem,
      "\(argument): board \(header.name.quoted) holds no item \(id.quoted); an id is a lower-case UUID, as GetRows gives it"
    )
  }

  /// A destination on the wire, where -1 is the end.
  func destination(
    _ value: Int32, argument: String = "row"
  ) throws(DBusError) -> Int? {
    guard value >= -1 else {
      throw DBusError(
        .invalidArgs, "\(argument) is \(value); an index is 0 or more, or -1 for the end")
    }
    return value == -1 ? nil : Int(value)
  }

  /// A place for rows in a section; nil for a section that is not there, which the edit refuses.
  func path(_ section: UInt32, _ row: Int?) -> IndexPath {
    IndexPath(
      section: Int(section), row: row ?? board.rowCount(inSection: Int(section)) ?? 0)
  }

  /// A change as Changed bears it.
  func wireChange(_ change: Change) -> BoardInterface.Change {
    func row(_ kind: String, _ row: RowID, _ from: IndexPath?, _ to: IndexPath?)
      -> BoardInterface.Change
    {
      BoardInterface.Change(
        kind, service.ids.id(of: row), UInt32(from?.section ?? 0), UInt32(from?.row ?? 0),
        UInt32(to?.section ?? 0), UInt32(to?.row ?? 0))
    }
    func section(_ kind: String, _ name: String, _ from: Int, _ to: Int) -> BoardInterface.Change {
      BoardInterface.Change(kind, name, UInt32(from), 0, UInt32(to), 0)
    }
    return switch change {
    case .insert(let id, let path): row("insert", id, nil, path)
    case .delete(let id, let path): row("delete", id, path, nil)
    case .move(let id, let from, let to): row("move", id, from, to)
    case .reload(let id, let path): row("reload", id, path, path)
    case .insertSection(let name, let index): section("insert-section", name, 0, index)
    case .deleteSection(let name, let index): section("delete-section", name, index, 0)
    case .moveSection(let name, let from, let to): section("move-section", name, from, to)
    case .renameSection(let name, let index): section("rename-section", name, index, 0)
    case .reset: section("reset", "", 0, 0)
    }
  }

  /// What a client is told of a refused edit.
  func answer(_ error: BoardError) -> DBusError {
    switch error {
    case .duplicateRow(let row):
      DBusError(.invalidArgs, "items names \(service.ids.id(of: row)) twice; name each item once")
    case .invalidName(let fault): DBusError(.invalidArgs, "name: \(fault)")
    case .noSuchRow(let row): noSuchItem(service.ids.id(of: row), argument: "item")
    case .indexOutOfRange: DBusError(.invalidArgs, "\(error)")
    case .sectionExists: DBusError(.invalidArgs, "name: \(error)")
    case .lastSection: DBusError(.invalidArgs, "section: \(error)")
    case .notEditable(let row):
      DBusError(
        .notEditable, "item \(service.ids.id(of: row)) is not editable; SetEditable makes it so")
    case .notMovable(let row):
      DBusError(
        .notMovable, "item \(service.ids.id(of: row)) is not movable; SetMovable makes it so")
    case .limitExceeded(let limit, let most): .limit(limit.rawValue, most)
    }
  }
}

extension DBusError {
  /// It would be more than a limit of that name lets in.
  static func limit(_ name: String, _ most: Int) -> DBusError {
    DBusError(.limitsExceeded, "\(name) is \(most), and this would be more")
  }
}
