import DBus
import DragboardStore

/// The storage of many rows' contents in short steps, before the rows are inserted into a board.
///
/// The contents are committed in several parts, because one long commit would block all clients.
/// After a crash, the next daemon removes them.
final class Staging {
  /// The maximum number of rows that are stored in one step without staging.
  static let maxAtOnce = 64
  /// The maximum number of bytes that one step stores in the database without staging, and that one
  /// commit of a staging has.
  static let maxBytesAtOnce = RowContent.maxInlineByteCount
  /// The time after which a step ends.
  ///
  /// The current row is completed first.
  static let stepTime = Duration.microseconds(20)

  private let purge: Purge
  private let count: Int
  private let stepTime: Duration
  private let content: (Int) -> RowContent
  private var onEnd: ((Step, Result<StagedRows, DBusError>) -> Void)?
  private var stage: StagedRows?
  private var stored = 0
  private var uncommittedBytes = 0

  /// Begins to store rows.
  ///
  /// - Parameters:
  ///   - count: the number of rows.
  ///   - purge: removes stored contents that no board needs.
  ///   - stepTime: the time after which a step ends.
  ///   - repeatedly: repeats a step until it returns false, for example in turns of the client.
  ///   - content: returns the content of the row at an index.
  ///   - onEnd: is called once, unless the staging is stopped. It must adopt the rows in its step.
  init(
    of count: Int, _ purge: Purge, stepTime: Duration = stepTime,
    _ repeatedly: (@escaping (Step) -> Bool) -> Void,
    content: @escaping (Int) -> RowContent,
    onEnd: @escaping (Step, Result<StagedRows, DBusError>) -> Void
  ) {
    (self.count, self.purge, self.stepTime) = (count, purge, stepTime)
    (self.content, self.onEnd) = (content, onEnd)
    repeatedly { [self] step in storeSome(in: step) }
  }

  /// Stops the staging unless all contents are stored.
  ///
  /// The contents that were stored are removed.
  func stop() {
    guard onEnd != nil else { return }
    onEnd = nil
    stage = nil
    purge.later()
  }

  /// Stores the contents of some rows.
  ///
  /// - Returns: whether more rows remain.
  private func storeSome(in step: Step) -> Bool {
    guard let onEnd else { return false }
    do throws(StoreError) {
      guard let stage = try step.writeApart(storeSome) else {
        step.commitNow()
        return true
      }
      guard stored == count else { return true }
      self.onEnd = nil
      self.stage = nil
      onEnd(step, .success(stage))
      // If the board has refused the rows, or if a rollback removes the rows from the board, their
      // contents must be purged.
      if stage.isAdopted { step.onRollback(purge.later) } else { purge.later() }
    } catch {
      stop()
      onEnd(step, .failure(error.answer))
    }
    return false
  }

  private func storeSome(
    in store: BoardStore
  ) throws(StoreError) -> StagedRows {
    let stage = if let stage { stage } else { try store.stageRows(count) }
    self.stage = stage
    guard stage.isWhole else { throw .rolledBack }
    let end = ContinuousClock.now + stepTime
    repeat {
      let content = content(stored)
      try store.put(content, of: stage.rows[stored])
      stored += 1
      uncommittedBytes += content.representations.inlineByteCount
    } while stored < count && uncommittedBytes < Self.maxBytesAtOnce && .now < end
    if uncommittedBytes >= Self.maxBytesAtOnce {
      try store.commit()
      uncommittedBytes = 0
    }
    return stage
  }
}
