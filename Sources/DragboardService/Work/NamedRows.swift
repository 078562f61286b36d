import DBus

/// The limit for the number of rows that views select and sessions drag.
///
/// The ids of these rows are values of properties. `GetManagedObjects` returns all of them, and its
/// reply must not become too large for the bus.
struct NamedRows {
  let views: Views
  let sessions: Sessions

  /// Refuses more ids if the limit of all clients, or the share of a sandbox, would be exceeded.
  ///
  /// - Throws: LimitsExceeded if there are too many ids.
  func check(adding count: Int, by sandbox: String?) throws(DBusError) {
    guard count > 0 else { return }
    let max = Limits.maxNamedRows
    guard views.selectedRowCount() + sessions.draggedRowCount() + count <= max else {
      throw .limit("items: the maximum number of selected and dragged rows", max)
    }
    guard let sandbox else { return }
    let (named, share) = (
      views.selectedRowCount(of: sandbox) + sessions.draggedRowCount(of: sandbox),
      Quota.share(of: max)
    )
    guard named + count <= share else {
      throw .limit("items: a sandbox's share of selected and dragged rows", share)
    }
  }
}
