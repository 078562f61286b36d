public import DragboardStore

extension BoardStore {
  /// Opens the store in a directory and recovers a damaged database.
  ///
  /// If the database is not damaged, it does the same as `init(directory:timeout:report:)`. A
  /// damaged database is moved aside, and all readable rows are recovered. The property `recovery`
  /// has the result. A database of a later release or of another program is refused and not
  /// changed.
  ///
  /// - Parameters:
  ///   - directory: the data directory.
  ///   - timeout: the time to wait for another owner of the directory. The store always waits for
  ///     an owner that is about to exit.
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
    // If the directory has no data, there is nothing to recover, so a damage note is removed.
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
