import BoardModel
import DBus
import DragModel
import DragboardInterface

/// The methods of `org.dragboard.Dragboard1.Board` that apply a complete order of rows.
///
/// They refuse sandboxed callers after they have checked the syntax of the arguments.
struct BoardArrangements {
  let limits: Limits

  func applySnapshot(
    _ board: BoardEntity, _ command: Command, _ base: UInt64, _ sections: [BoardInterface.Section]
  ) throws(DBusError) -> (UInt64, [WireChange]) {
    var unknown: [String] = []
    let wanted = sections.map { section in
      let (name, ids) = section.members
      return SnapshotSection(name: name, rows: rows(ids, on: board, unknown: &unknown))
    }
    let call = ArrangementCall(argument: "sections", board: board, command: command)
    let arrangement = try call.arrangement { () throws(ArrangementError) in
      try Arrangement(wanted)
    }
    try call.check(base, unknown)
    return try call.apply(arrangement, maxSections: limits.maxSections)
  }

  func applyOrder(
    _ board: BoardEntity, _ command: Command, _ base: UInt64, _ section: UInt32, _ items: [String]
  ) throws(DBusError) -> UInt64 {
    var unknown: [String] = []
    let wanted = rows(items, on: board, unknown: &unknown)
    let call = ArrangementCall(argument: "items", board: board, command: command)
    let arrangement = try call.arrangement { () throws(ArrangementError) in
      try Arrangement(ofSection: Int(section), rows: wanted)
    }
    try call.check(base, unknown)
    return try call.apply(arrangement, maxSections: limits.maxSections).0
  }

  /// Returns the rows with these ids, and adds ids without a row to `unknown`.
  ///
  /// The model checks whether the board has the rows.
  private func rows(
    _ ids: [String], on board: BoardEntity, unknown: inout [String]
  ) -> [RowID] {
    var rows: [RowID] = []
    rows.reserveCapacity(ids.count)
    for id in ids {
      if let row = board.ids.row(of: id) { rows.append(row) } else { unknown.append(id) }
    }
    return rows
  }

  /// A call that applies an arrangement; errors name its argument.
  private struct ArrangementCall {
    let argument: String
    let board: BoardEntity
    let command: Command

    /// Creates an arrangement.
    ///
    /// `make` fails if the arrangement is invalid on every board, for example if a row occurs twice.
    func arrangement(
      _ make: () throws(ArrangementError) -> Arrangement
    ) throws(DBusError) -> Arrangement {
      do throws(ArrangementError) { return try make() } catch { throw answer(error) }
    }

    /// Refuses, in this order, an unknown id that occurs twice, a sandboxed caller, a stale base,
    /// and an unknown id.
    func check(_ base: UInt64, _ unknown: [String]) throws(DBusError) {
      try unknown.checkDistinct(argument: argument)
      try command.access.checkGoverns()
      try board.checkBase(base)
      if let id = unknown.first {
        throw DBusError(.invalidArgs, board.noSuchItem(id, argument: argument).message)
      }
    }

    func apply(
      _ arrangement: Arrangement, maxSections: Int
    ) throws(DBusError) -> (UInt64, [WireChange]) {
      var changes: [Change] = []
      do throws(ArrangementError) {
        let revision = try board.makeEdit(in: command.step) { model throws(ArrangementError) in
          let revision = try model.apply(arrangement, maxSections: maxSections)
          changes = revision?.changes ?? []
          return revision
        }
        return (revision, changes.map { $0.wire(board.ids) })
      } catch { throw answer(error) }
    }

    private func answer(_ error: ArrangementError) -> DBusError {
      func id(_ row: RowID) -> String { board.ids.id(of: row) }
      return switch error {
      case .refused(.noSuchRow(let row)):
        DBusError(.invalidArgs, board.noSuchItem(id(row), argument: argument).message)
      case .refused(let refusal): board.answer(to: refusal)
      case .noSections, .invalidName, .sectionTwice:
        DBusError(.invalidArgs, "\(argument): \(error)")
      case .rowTwice(let row):
        DBusError(.invalidArgs, "\(argument): item \(id(row)) occurs twice (expected once)")
      case .rowElsewhere(let row, let section):
        DBusError(
          .invalidArgs,
          "\(argument): item \(id(row)) is not in section \(section) (expected items of that section)"
        )
      case .rowMissing(let row, let section):
        DBusError(
          .invalidArgs,
          "\(argument): item \(id(row)) of section \(section) is missing (expected all items of the section)"
        )
      }
    }
  }
}
