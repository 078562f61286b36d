import DBus

/// Limits the rows whose ids are properties: those that views select and sessions drag.
///
/// `GetManagedObjects` returns all of them, and its reply must not become too large for the bus.
struct NamedRows {
  let views: Views
  let sessions: Sessions

  /// Refuses more ids than all clients, or those of a sandbox, may name.
  ///
  /// - Throws: LimitsExceeded.
  func check(adding count: Int, by sandbox: String?) throws(DBusError) {
    guard count > 0 else { return }
    let max = Limits.maxNamedRows
    guard views.selectedRowCount() + sessions.draggedRowCount() + count <= max else {
      throw .limit("items: the number of rows that are selected or dragged", max)
    }
    guard let sandbox else { return }
    let (named, share) = (
      views.selectedRowCount(of: sandbox) + sessions.draggedRowCount(of: sandbox),
      Quota.share(of: max)
    )
    guard named + count <= share else {
      throw .limit("items: a sandbox's share of the rows that are selected or dragged", share)
    }
  }
}
