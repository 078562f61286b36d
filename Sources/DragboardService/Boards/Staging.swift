import DBus

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
  private let step: Duration
  private let content: (Int) -> RowContent
  private var onEnd: ((Result<any RowStage, DBusError>) -> Void)?
  private var stage: (any RowStage)?
  private var stored = 0

  /// Begins; `onEnd` is called once, as an event of its own, unless it is stopped before.
  ///
  /// - Parameters:
  ///   - count: how many rows.
  ///   - service: whose repository.
  ///   - step: the time after which a step ends.
  ///   - content: what the row of a number holds, which is ready to be stored.
  ///   - onEnd: gets the rows, to be adopted in that event, or to be purged; or IOError.
  init(
    of count: Int, in service: Service, step: Duration = step, content: @escaping (Int) -> RowContent,
    onEnd: @escaping (Result<any RowStage, DBusError>) -> Void
  ) {
    self.service = service
    self.count = count
    self.step = step
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
    do throws(RepositoryError) {
      let stage = try storeSome()
      guard stored == count else { return true }
      self.onEnd = nil
      self.stage = nil
      onEnd(.success(stage))
    } catch {
      service.repository.rollback()
      stop()
      onEnd(.failure(error.answer))
    }
    return false
  }

  private func storeSome() throws(RepositoryError) -> any RowStage {
    let stage = try currentStage()
    guard stage.isWhole else {
      throw RepositoryError("what was stored has been taken back with other edits; try again")
    }
    let end = ContinuousClock.now + step
    repeat {
      try service.repository.put(content(stored), of: stage.rows[stored])
      stored += 1
    } while stored < count && .now < end
    return stage
  }

  private func currentStage() throws(RepositoryError) -> any RowStage {
    if let stage { return stage }
    let new = try service.repository.stageRows(count)
    stage = new
    return new
  }
}
