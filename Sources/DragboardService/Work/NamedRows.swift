import DBus

/// Rows whose ids are properties: those that views select, and those that sessions drag.
extension Service {
  /// Refuses ids that would make the reply of `GetManagedObjects` too large for the bus.
  ///
  /// - Throws: LimitsExceeded.
  func checkNamedRows(_ count: Int, by sandbox: String?) throws(DBusError) {
    guard count > 0 else { return }
    let most = Limits.maxNamedRows
    guard views.selectedRowCount() + sessions.draggedRowCount() + count <= most else {
      throw .limit("items: the number of rows that are selected or dragged", most)
    }
    guard let sandbox else { return }
    let named =
      views.selectedRowCount(of: sandbox) + sessions.draggedRowCount(of: sandbox)
    guard named + count <= Quota.share(of: most) else {
      throw .limit(
        "items: a sandbox's share of the rows that are selected or dragged",
        Quota.share(of: most))
    }
  }
}
