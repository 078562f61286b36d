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

  /// The rows with those ids, in order; that none is named twice has been checked.
  func rows(_ ids: [String]) throws(DBusError) -> [RowID] {
    try checkDistinct(ids)
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

  /// The change on the wire.
  func wireChange(_ change: Change) -> BoardInterface.Change {
    func place(_ path: IndexPath) -> WireChange.Place {
      WireChange.Place(section: path.section, row: path.row)
    }
    func section(_ index: Int) -> WireChange.Place { WireChange.Place(section: index) }
    func id(_ row: RowID) -> String { service.ids.id(of: row) }
    let change =
      switch change {
      case .insert(let row, let path): WireChange(.insert, id(row), to: place(path))
      case .delete(let row, let path): WireChange(.delete, id(row), from: place(path))
      case .move(let row, let from, let to):
        WireChange(.move, id(row), from: place(from), to: place(to))
      case .reload(let row, let path):
        WireChange(.reload, id(row), from: place(path), to: place(path))
      case .insertSection(let name, let index): WireChange(.insertSection, name, to: section(index))
      case .deleteSection(let name, let index):
        WireChange(.deleteSection, name, from: section(index))
      case .moveSection(let name, let from, let to):
        WireChange(.moveSection, name, from: section(from), to: section(to))
      case .renameSection(let name, let index):
        WireChange(.renameSection, name, from: section(index))
      case .reset: WireChange(.reset)
      }
    return change.wire
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
