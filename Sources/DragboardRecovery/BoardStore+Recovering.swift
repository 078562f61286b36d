public import DragboardStore

extension BoardStore {
  /// Opens the store in a directory, as `init(directory:timeout:report:)` does, and recovers a damaged
  /// database.
  ///
  /// A database that is damaged is set aside, and what can be read of it recovered: `recovery` reports
  /// it. One from a later release, or of another program, is refused and left as it is.
  ///
  /// - Parameters:
  ///   - directory: the data directory.
  ///   - timeout: how long to wait for another owner; one that is leaving is waited for anyway.
  ///   - report: gets events for a log, on any thread.
  /// - Returns: the store.
  /// - Throws: `StoreError`.
  public static func open(
    in directory: String, timeout: Duration = .zero,
    report: @escaping @Sendable (StoreEvent) -> Void = { _ in }
  ) throws(StoreError) -> BoardStore {
    let lock = try DataDirectory(path: directory).take(timeout: timeout, report)
    let recovery = Recovery(in: directory, holding: lock)
    try recovery.resume()
    var damage = try DamageNote.read(in: directory)
    // Without data a note says nothing: there is nothing to recover.
    if try OpenDatabase.touch(in: directory) {
      DamageNote.remove(in: directory)
      damage = nil
    }
    if damage == nil {
      do throws(StoreError) {
        return try BoardStore(directory: directory, holding: lock, report: report)
      } catch {
        guard case .damaged(let found) = error else { throw error }
        damage = found
      }
    }
    let result = try recovery.run(because: damage ?? "")
    return try BoardStore(directory: directory, holding: lock, after: result, report: report)
  }
}
