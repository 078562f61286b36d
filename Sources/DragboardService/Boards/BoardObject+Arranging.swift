import BoardModel
import DBus
import DragModel
import DragboardInterface

/// The methods of `org.dragboard.Dragboard1.Board` that make it as a caller wants it to be.
extension BoardObject {
  func applySnapshot(
    _ base: UInt64, _ sections: [BoardInterface.Section]
  ) throws(DBusError) -> (UInt64, [BoardInterface.Change]) {
    var unknown: [String] = []
    let wanted = sections.map { section in
      let (name, ids) = section.members
      return SnapshotSection(name: name, rows: rows(ids, unknown: &unknown))
    }
    let arrangement = try arrangement(argument: "sections") { () throws(ArrangementError) in
      try Arrangement(wanted)
    }
    try check(base, unknown, argument: "sections")
    return try apply(arrangement, argument: "sections")
  }

  func applyOrder(
    _ base: UInt64, _ section: UInt32, _ items: [String]
  ) throws(DBusError) -> UInt64 {
    var unknown: [String] = []
    let wanted = rows(items, unknown: &unknown)
    let arrangement = try arrangement(argument: "items") { () throws(ArrangementError) in
      try Arrangement(ofSection: Int(section), rows: wanted)
    }
    try check(base, unknown, argument: "items")
    return try apply(arrangement, argument: "items").0
  }

  // MARK: What is wanted

  /// The rows that ids stand for.
  ///
  /// Whether they are on the board the model says. What was never a row's id is added to `unknown`.
  private func rows(_ ids: [String], unknown: inout [String]) -> [RowID] {
    var rows: [RowID] = []
    rows.reserveCapacity(ids.count)
    for id in ids {
      if let row = service.ids.row(of: id) { rows.append(row) } else { unknown.append(id) }
    }
    return rows
  }

  /// What can be said without the board comes first.
  private func arrangement(
    argument: String, _ make: () throws(ArrangementError) -> Arrangement
  ) throws(DBusError) -> Arrangement {
    do throws(ArrangementError) { return try make() } catch {
      throw answer(error, argument: argument)
    }
  }

  /// Refuses an unknown id that is named twice, then a stale base, then any unknown id.
  private func check(_ base: UInt64, _ unknown: [String], argument: String) throws(DBusError) {
    try checkDistinct(unknown, argument: argument)
    try checkBase(base)
    if let id = unknown.first {
      throw DBusError(.invalidArgs, noSuchItem(id, argument: argument).message)
    }
  }

  // MARK: Applying

  private func apply(
    _ arrangement: Arrangement, argument: String
  ) throws(DBusError) -> (UInt64, [BoardInterface.Change]) {
    var changes: [Change] = []
    do throws(ArrangementError) {
      let revision = try editing { board throws(ArrangementError) in
        let revision = try board.apply(arrangement, maxSections: service.limits.maxSections)
        changes = revision?.changes ?? []
        return revision
      }
      return (revision, changes.map(wireChange))
    } catch { throw answer(error, argument: argument) }
  }

  private func checkBase(_ base: UInt64) throws(DBusError) {
    guard base != 0, base != board.revision else { return }
    guard base < board.revision else {
      throw DBusError(
        .invalidArgs, "base is \(base); the board is at revision \(board.revision)")
    }
    throw DBusError(
      .staleRevision,
      "base: the board has moved on from revision \(base) to \(board.revision); take a new snapshot, or give base 0"
    )
  }

  private func answer(_ error: ArrangementError, argument: String) -> DBusError {
    func id(_ row: RowID) -> String { service.ids.id(of: row) }
    return switch error {
    case .refused(.noSuchRow(let row)):
      DBusError(.invalidArgs, noSuchItem(id(row), argument: argument).message)
    case .refused(let refusal): answer(refusal)
    case .noSections, .invalidName, .sectionTwice:
      DBusError(.invalidArgs, "\(argument): \(error)")
    case .rowTwice(let row):
      DBusError(.invalidArgs, "\(argument) names \(id(row)) twice; name each item once")
    case .rowElsewhere(let row, let section):
      DBusError(
        .invalidArgs,
        "\(argument): item \(id(row)) is not in section \(section); name the items of that section")
    case .rowMissing(let row, let section):
      DBusError(
        .invalidArgs,
        "\(argument) leaves out \(id(row)) of section \(section); name all items of the section")
    }
  }
}
