public import DragboardStore

extension BoardStore {
  /// Opens the store in a directory and recovers a damaged database.
  ///
  /// It opens the store as `init(directory:timeout:report:)` does. If the database is damaged, it
  /// is moved aside, and all readable rows are recovered; `recovery` reports the result. A database
  /// of a later release or of another program is refused and not changed.
  ///
  /// - Parameters:
  ///   - directory: the data directory.
  ///   - timeout: how long to wait for another owner. The store always waits for an owner that is
  ///     about to leave.
  ///   - report: receives events for a log, on any thread.
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
    // A damage note without data has no effect, because nothing can be recovered.
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
