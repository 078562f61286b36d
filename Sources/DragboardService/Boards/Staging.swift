import DBus
import DragboardStore

/// The storage of many rows' contents in short steps, before the rows are inserted into a board.
///
/// Stored contents are committed with the next transaction. After a crash, the next daemon removes
/// them.
final class Staging {
  /// The maximum number of rows that are stored in one step without staging.
  static let maxAtOnce = 64
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

  /// Begins to store rows.
  ///
  /// - Parameters:
  ///   - count: the number of rows.
  ///   - scheduler: starts the steps.
  ///   - purge: removes stored contents that no board needs.
  ///   - stepTime: the time after which a step ends.
  ///   - content: returns the content of the row at an index.
  ///   - onEnd: is called once, unless the staging is stopped. It must adopt the rows in its step.
  init(
    of count: Int, _ scheduler: Scheduler, _ purge: Purge, stepTime: Duration = stepTime,
    content: @escaping (Int) -> RowContent,
    onEnd: @escaping (Step, Result<StagedRows, DBusError>) -> Void
  ) {
    (self.count, self.purge, self.stepTime) = (count, purge, stepTime)
    (self.content, self.onEnd) = (content, onEnd)
    scheduler.repeatInSteps { [self] step in storeSome(in: step) }
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
      let stage = try step.writeApart(storeSome)
      guard let stage, stored == count else { return true }
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
      try store.put(content(stored), of: stage.rows[stored])
      stored += 1
    } while stored < count && .now < end
    return stage
  }
}
