import BoardModel
import DBus
import DragboardStore

/// The deletion of rows that exceed `RetainRows` or `RetainSeconds` of a board.
///
/// Rows that are pinned or not editable stay. `RetainRows` takes effect at insertions, and when it is
/// set. Ages depend on the wall clock, which continues while the system is suspended. The timer stops
/// while the system is suspended, so it fires at least every `maxDelay`.
struct Retention {
  private static let minDelay = Duration.seconds(1)
  private static let maxDelay = Duration.seconds(600)
  private static let retryDelay = Duration.seconds(60)

  let scheduler: Scheduler
  let clock: AgeClock

  // MARK: Insertions

  /// Refuses rows that would exceed the share of their sandbox in the maximum number of rows.
  ///
  /// - Throws: LimitsExceeded if they would; IOError.
  func checkShare(
    of inserter: Inserter, for count: Int, on board: BoardEntity, in step: Step
  ) throws(DBusError) {
    guard let room = try room(of: inserter, on: board, in: step), count > room else { return }
    throw .limit("board: a sandbox's share of MaxRows", Quota.share(ofRows: board.maxRows))
  }

  /// Returns the number of rows that a sandbox may still insert; nil for the user.
  ///
  /// - Throws: IOError.
  func room(
    of inserter: Inserter, on board: BoardEntity, in step: Step
  ) throws(DBusError) -> Int? {
    guard let sandbox = inserter.sandboxOfRows else { return nil }
    do throws(StoreError) {
      let own = try board.retention.count(of: sandbox, on: board.board, in: step.store)
      return max(0, Quota.share(ofRows: board.maxRows) - own)
    } catch { throw error.answer }
  }

  /// Returns the rows that an insertion must delete.
  ///
  /// - Parameters:
  ///   - count: the number of new rows, which stay.
  ///   - inserter: the client. A sandbox has a share of `RetainRows`, and cannot delete rows of others
  ///     by its insertions.
  ///   - board: the board before the insertion.
  ///   - step: the step of the insertion.
  /// - Returns: the rows; none if the board retains all rows.
  /// - Throws: IOError if the source or the age of a row cannot be read.
  func rowsToEvict(
    forInsertionOf count: Int, by inserter: Inserter, on board: BoardEntity, in step: Step
  ) throws(DBusError) -> [RowID] {
    let expired = try expired(on: board, in: step)
    guard board.header.retainRows > 0 else { return expired }
    do throws(StoreError) {
      guard let sandbox = inserter.sandbox else {
        return try board.rowsBeyondRetainRows(with: count, and: expired, in: step.store)
      }
      let excess =
        inserter.usesShare
        ? try board.retention.count(of: sandbox, on: board.board, in: step.store) + count
          - Quota.share(ofRows: Int(board.header.retainRows))
        : board.rowCount + count - Int(board.header.retainRows)
      let own = try board.retention.oldest(
        excess, of: sandbox, on: board.board, in: step.store)
      return expired.appending(own)
    } catch { throw error.answer }
  }

  /// Records that rows have been inserted.
  func noteInsertion(of rows: [RowID], by inserter: Inserter, on board: BoardEntity) {
    if let sandbox = inserter.sandboxOfRows { board.retention.note(rows, of: sandbox) }
    watch(board)
  }

  // MARK: Settings

  /// Changes the limits, and deletes the rows that the board no longer retains, in one edit that can
  /// be undone.
  ///
  /// - Throws: IOError.
  func set(
    _ limits: RetentionLimits, of board: BoardEntity, in step: Step
  ) throws(DBusError) {
    let change = RetentionChange(from: board.header.retention, to: limits)
    try board.changeHeader(in: step) { $0.retention = limits }
    do throws(StoreError) {
      var rows = try board.expired(at: clock.now, in: step.store)
      if limits.rows > 0 {
        rows = try board.rowsBeyondRetainRows(with: 0, and: rows, in: step.store)
      }
      board.delete(rows, because: change, in: step)
      try schedule(board, in: step)
    } catch { throw error.answer }
  }

  /// Changes the limits as a part of an undo or redo.
  ///
  /// - Throws: IOError.
  func restore(
    _ limits: RetentionLimits, of board: BoardEntity, in step: Step
  ) throws(DBusError) {
    try board.changeHeader(in: step) { $0.retention = limits }
    do throws(StoreError) { try schedule(board, in: step) } catch { throw error.answer }
  }

  // MARK: Time

  /// Permanently deletes the rows that have reached the age, in one edit.
  private func deleteExpired(of board: BoardEntity, in step: Step) throws(DBusError) {
    board.evict(try expired(on: board, in: step), in: step)
    do throws(StoreError) { try schedule(board, in: step) } catch { throw error.answer }
  }

  /// Schedules the deletion of the oldest row for the time at which it reaches the age.
  private func schedule(_ board: BoardEntity, in step: Step) throws(StoreError) {
    scheduler.cancel(board.expiry)
    board.expiry = nil
    guard board.header.retainSeconds > 0,
      let oldest = try board.retention.timeOfOldest(on: board.board, in: step.store)
    else { return }
    let (time, isLate) = oldest.addingReportingOverflow(board.retainedMicroseconds)
    let now = clock.now
    let delay = Duration.microseconds(
      Int64(clamping: isLate ? .max : time > now ? time - now : 0))
    watch(board, after: max(delay, clock.delay(ofDeletionAt: board.retainedTime), Self.minDelay))
  }

  /// Schedules the deletion of rows that have reached the age.
  func watch(_ board: BoardEntity, after delay: Duration = .zero) {
    guard board.header.retainSeconds > 0, board.expiry == nil else { return }
    let delay = delay == .zero ? delay : min(max(delay, Self.minDelay), Self.maxDelay)
    board.expiry = scheduler.after(delay) { [weak board] step in
      guard let board else { return }
      board.expiry = nil
      guard !board.isDeleted else { return }
      do throws(DBusError) {
        try board.checkExists(in: step)
        try deleteExpired(of: board, in: step)
      } catch { watch(board, after: Self.retryDelay) }
    }
  }

  private func expired(on board: BoardEntity, in step: Step) throws(DBusError) -> [RowID] {
    guard board.header.retainSeconds > 0, clock.delay(ofDeletionAt: board.retainedTime) == .zero
    else { return [] }
    do throws(StoreError) { return try board.expired(at: clock.now, in: step.store) } catch {
      throw error.answer
    }
  }
}

extension BoardEntity {
  fileprivate var retainedMicroseconds: UInt64 { UInt64(header.retainSeconds) * 1_000_000 }

  fileprivate var retainedTime: Duration { .seconds(Int64(header.retainSeconds)) }

  /// Returns the rows that have reached the age at a time.
  fileprivate func expired(
    at time: UInt64, in store: BoardStore
  ) throws(StoreError) -> [RowID] {
    let age = retainedMicroseconds
    guard age > 0, time > age else { return [] }
    return try retention.expired(at: time - age, on: board, in: store)
  }

  /// Returns the rows to delete, so that at most `RetainRows` are left after `count` rows have been
  /// added: first those of sandboxes beyond their shares, then the oldest.
  ///
  /// Rows of sandboxes beyond their shares that are pinned or locked stay, and do not count.
  ///
  /// - Parameters:
  ///   - count: the number of new rows.
  ///   - expired: rows that are deleted in any case; the result includes them.
  ///   - store: the store.
  /// - Returns: the rows.
  /// - Throws: `StoreError`.
  fileprivate func rowsBeyondRetainRows(
    with count: Int, and expired: [RowID], in store: BoardStore
  ) throws(StoreError) -> [RowID] {
    let excess = rowCount + count - Int(header.retainRows)
    guard excess > expired.count else { return expired }
    let share = Quota.share(ofRows: Int(header.retainRows))
    let surplus = try retention.surplus(beyond: share, on: board, in: store)
    guard surplus.count > 0 else {
      // The expired rows are among the oldest rows, except for rows of other machines.
      let oldest = try retention.oldest(excess, on: board, in: store)
      return expired.isEmpty ? oldest : Array(expired.appending(oldest).prefix(excess))
    }
    let evicted = expired.appending(surplus.deletable.prefix(excess))
    let spared = max(0, surplus.count - surplus.deletable.count)
    let rest = excess - spared - evicted.count
    guard rest > 0 else { return evicted }
    let oldest = try retention.oldest(rest + evicted.count, on: board, in: store)
    return Array(evicted.appending(oldest).prefix(evicted.count + rest))
  }
}

extension [RowID] {
  /// Returns the list with those rows of another list that it does not have.
  fileprivate func appending(_ rows: some Sequence<RowID>) -> [RowID] {
    let present = Set(self)
    return self + rows.filter { !present.contains($0) }
  }
}

extension Quota {
  /// The share of one sandbox in a number of rows, at least one row.
  static func share(ofRows count: Int) -> Int { max(1, share(of: count)) }
}
