import DBus
import DragboardStore

/// Stores what many rows are to hold before a board has them, a little at a time: nobody waits for all of it.
///
/// What has been stored is committed with whatever is committed next, and gone after a crash.
final class Staging {
  /// More rows than that are staged; fewer are stored at once.
  static let mostAtOnce = 64
  /// A step ends with the row after which it has taken so long.
  static let step = Duration.microseconds(20)

  private let service: Service
  private let count: Int
  private let content: (Int) -> RowContent
  private var onEnd: ((Result<StagedRows, DBusError>) -> Void)?
  private var stage: (StagedRows)?
  private var stored = 0

  /// Begins; `onEnd` is called once, as an event of its own, unless it is stopped before.
  ///
  /// - Parameters:
  ///   - count: how many rows.
  ///   - service: whose repository.
  ///   - content: what the row of a number holds, which is ready to be stored.
  ///   - onEnd: gets the rows, to be adopted in that event; or IOError.
  init(
    of count: Int, in service: Service, content: @escaping (Int) -> RowContent,
    onEnd: @escaping (Result<StagedRows, DBusError>) -> Void
  ) {
    self.service = service
    self.count = count
    self.content = content
    self.onEnd = onEnd
    service.workInSteps { [self] in goOn() }
  }

  /// Leaves what has been stored to be removed.
  func stop() {
    guard onEnd != nil else { return }
    onEnd = nil
    stage = nil
    service.purgeLater()
  }

  /// Whether there is more to do.
  private func goOn() -> Bool {
    guard let onEnd else { return false }
    // What fails here takes back what is not committed, and that is nobody else's.
    guard !service.batch.isOpen else { return true }
    do throws(StoreError) {
      let stage = try storeSome()
      guard stored == count else { return true }
      self.onEnd = nil
      self.stage = nil
      onEnd(.success(stage))
      // If the board has not taken them after all, they go.
      service.purgeLater()
    } catch {
      service.repository.rollback()
      stop()
      onEnd(.failure(error.answer))
    }
    return false
  }

  private func storeSome() throws(StoreError) -> StagedRows {
    let stage = try currentStage()
    guard stage.isWhole else {
      throw .rolledBack
    }
    let end = ContinuousClock.now + Self.step
    repeat {
      try service.repository.put(content(stored), of: stage.rows[stored])
      stored += 1
    } while stored < count && .now < end
    return stage
  }

  private func currentStage() throws(StoreError) -> StagedRows {
    if let stage { return stage }
    let new = try service.repository.stageRows(count)
    stage = new
    return new
  }
}
