import BoardModel
import DBus
import DragboardStore

/// The deletion of rows that exceed `RetainRows` or `RetainSeconds` of a board.
///
/// Rows that are pinned or not editable stay. Ages depend on the wall clock, which may jump, and
/// which continues while the system is suspended. The timer stops while the system is suspended, so
/// it fires at least every `maxDelay`.
struct Retention {
  private static let minDelay = Duration.seconds(1)
  private static let maxDelay = Duration.seconds(600)
  private static let retryDelay = Duration.seconds(60)

  let scheduler: Scheduler
  /// Returns the present time, in microseconds since 1970, UTC.
  let now: () -> UInt64

  // MARK: Insertions

  /// Returns the rows that an insertion must delete.
  ///
  /// - Parameters:
  ///   - count: the number of new rows, which stay.
  ///   - sandbox: the sandbox of the new rows. Only rows of this sandbox are deleted, so that the
  ///     sandbox cannot delete rows of others.
  ///   - board: the board before the insertion.
  ///   - step: the step of the insertion.
  /// - Returns: the rows; none if the board retains all rows.
  /// - Throws: IOError if the source or the age of a row cannot be read.
  func rowsToEvict(
    forInsertionOf count: Int, by sandbox: String?, on board: BoardEntity, in step: Step
  ) throws(DBusError) -> [RowID] {
    guard board.retainsLess else { return [] }
    let expired = try self.expired(on: board, in: step)
    let excess = board.excess(with: count)
    guard excess > expired.count else { return expired }
    do throws(StoreError) {
      guard let sandbox else {
        return try board.retention.oldest(excess, on: board.board, in: step.store)
      }
      let own = try board.retention.oldest(excess, of: sandbox, on: board.board, in: step.store)
      let old = Set(expired)
      return expired + own.lazy.filter { !old.contains($0) }.prefix(excess - expired.count)
    } catch { throw error.answer }
  }

  /// Records that rows have been inserted.
  func noteInsertion(of rows: [RowID], by sandbox: String?, on board: BoardEntity) {
    guard board.retainsLess else { return }
    if let sandbox { board.retention.note(rows, of: sandbox) }
    watch(board)
  }

  // MARK: Time

  /// Deletes the rows that the board does not retain, in one edit.
  ///
  /// - Throws: IOError if the source or the age of a row cannot be read.
  func apply(to board: BoardEntity, in step: Step) throws(DBusError) {
    let expired = try self.expired(on: board, in: step)
    let excess = board.excess(with: 0)
    let oldest: UInt64?
    do throws(StoreError) {
      board.evict(
        excess > expired.count
          ? try board.retention.oldest(excess, on: board.board, in: step.store) : expired,
        in: step)
      scheduler.cancel(board.expiry)
      board.expiry = nil
      oldest = try board.retention.timeOfOldest(on: board.board, in: step.store)
    } catch { throw error.answer }
    guard let oldest else { return }
    let (time, isLate) = oldest.addingReportingOverflow(board.retainedMicroseconds)
    let now = now()
    let delay = isLate ? .max : time > now ? time - now : 0
    watch(board, after: max(.microseconds(Int64(clamping: delay)), Self.minDelay))
  }

  /// Schedules the deletion of the oldest row for the time at which it expires.
  func watch(_ board: BoardEntity, after delay: Duration = .zero) {
    guard board.header.retainSeconds > 0, board.expiry == nil else { return }
    let delay = delay == .zero ? delay : min(max(delay, Self.minDelay), Self.maxDelay)
    board.expiry = scheduler.after(delay) { [weak board] step in
      guard let board else { return }
      board.expiry = nil
      guard !board.isDeleted else { return }
      do throws(DBusError) {
        try board.checkExists(in: step)
        try apply(to: board, in: step)
      } catch { watch(board, after: Self.retryDelay) }
    }
  }

  private func expired(on board: BoardEntity, in step: Step) throws(DBusError) -> [RowID] {
    let (time, age) = (now(), board.retainedMicroseconds)
    guard age > 0, time > age else { return [] }
    do throws(StoreError) {
      return try board.retention.expired(at: time - age, on: board.board, in: step.store)
    } catch { throw error.answer }
  }
}

extension BoardEntity {
  fileprivate var retainsLess: Bool { header.retainRows > 0 || header.retainSeconds > 0 }

  fileprivate var retainedMicroseconds: UInt64 { UInt64(header.retainSeconds) * 1_000_000 }

  /// Returns the number of rows that exceed `RetainRows` after `count` rows have been added.
  fileprivate func excess(with count: Int) -> Int {
    header.retainRows == 0 ? 0 : max(0, rowCount + count - Int(header.retainRows))
  }
}
