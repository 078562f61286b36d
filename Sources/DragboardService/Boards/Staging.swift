import DBus
import DragboardStore

/// The storage of many rows' contents in short steps, before a board gets the rows.
///
/// Stored contents are committed with the next transaction. After a crash they are removed.
final class Staging {
  /// The maximum number of rows that are stored in one step, without staging.
  static let maxAtOnce = 64
  /// A step ends after the row at which this time has passed.
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
  ///   - purge: removes what no board gets.
  ///   - stepTime: the time after which a step ends.
  ///   - content: returns the content of the row of an index.
  ///   - onEnd: is called once, unless the staging is stopped; it adopts the rows in its step.
  init(
    of count: Int, _ scheduler: Scheduler, _ purge: Purge, stepTime: Duration = stepTime,
    content: @escaping (Int) -> RowContent,
    onEnd: @escaping (Step, Result<StagedRows, DBusError>) -> Void
  ) {
    (self.count, self.purge, self.stepTime) = (count, purge, stepTime)
    (self.content, self.onEnd) = (content, onEnd)
    scheduler.repeatInSteps { [self] step in storeSome(in: step) }
  }

  /// Stops, unless all is stored; the daemon removes what has been stored.
  func stop() {
    guard onEnd != nil else { return }
    onEnd = nil
    stage = nil
    purge.later()
  }

  /// Stores some rows.
  ///
  /// - Returns: whether there are more.
  private func storeSome(in step: Step) -> Bool {
    guard let onEnd else { return false }
    do throws(StoreError) {
      let stage = try step.writeApart(storeSome)
      guard let stage, stored == count else { return true }
      self.onEnd = nil
      self.stage = nil
      onEnd(step, .success(stage))
      // A board may have refused the rows, and a rollback may take them from it.
      if stage.isAdopted { step.onRollback(purge.later) } else { purge.later() }
    } catch {
      stop()
      onEnd(step, .failure(error.answer))
    }
    return false
  }

  private func storeSome(
    in repository: any BoardRepository
  ) throws(StoreError) -> StagedRows {
    let stage = if let stage { stage } else { try repository.stageRows(count) }
    self.stage = stage
    guard stage.isWhole else { throw .rolledBack }
    let end = ContinuousClock.now + stepTime
    repeat {
      try repository.put(content(stored), of: stage.rows[stored])
      stored += 1
    } while stored < count && .now < end
    return stage
  }
}
