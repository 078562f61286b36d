import BoardModel
import DBus
import DragModel
import DragboardStore

/// What a caller may know and do of rows, by who brought them.
extension BoardObject {
  /// So many rows a sandboxed caller can name in one call: who brought them is looked up one by one.
  private static let mostRowsOfSandboxed = 10_000

  /// Whether a caller may know what the row holds.
  func mayRead(_ row: RowID, _ access: BoardAccess) throws(DBusError) -> Bool {
    if access.readsEverything { return true }
    return try storedSummary(of: row).map { access.reads(rowOf: $0.source) } ?? false
  }

  /// Refuses rows whose contents the caller may not have.
  func checkMayRead(_ rows: [RowID], _ access: BoardAccess) throws(DBusError) {
    guard !access.readsEverything else { return }
    try check(rows) { source in access.reads(rowOf: source) }
  }

  /// Refuses rows that the caller may neither change, move nor delete.
  func checkMayChange(_ rows: [RowID], _ access: BoardAccess) throws(DBusError) {
    guard !access.governs else { return }
    try check(rows) { source in access.changes(rowOf: source) }
  }

  /// Refuses the row at an index path, likewise; a path where none stands is refused by the edit.
  func checkMayChange(_ path: IndexPath, _ access: BoardAccess) throws(DBusError) {
    guard !access.governs, let row = board.row(at: path) else { return }
    try checkMayChange([row], access)
  }

  private func check(
    _ rows: [RowID], _ isAllowed: (_ source: String) -> Bool
  ) throws(DBusError) {
    guard rows.count <= Self.mostRowsOfSandboxed else {
      throw .limit("items: the rows of a sandboxed client's call", Self.mostRowsOfSandboxed)
    }
    for row in rows where try !isAllowed(summary(of: row).source) {
      throw DBusError(
        .accessDenied,
        "item \(service.ids.id(of: row)) was brought by another; a sandboxed client has the rows that it brought itself"
      )
    }
  }
}
