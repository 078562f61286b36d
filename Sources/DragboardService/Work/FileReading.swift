import DBus
import Synchronization

/// How far the reading of a client's file is; the thread that reads it and the loop share it.
final class FileReading: Sendable {
  private struct State {
    var pieces = 0
    var isComplete = false
    var isCancelled = false
  }

  private let state = Mutex(State())

  /// Notes that a piece of the file has come.
  ///
  /// - Throws: IOError if nobody waits for the file any more.
  func notePiece() throws(DBusError) {
    let isCancelled = state.withLock { state in
      state.pieces += 1
      return state.isCancelled
    }
    if isCancelled { throw DBusError(.ioError, "fd: nobody waits for the file any more") }
  }

  /// Notes that the whole file has come: what follows does not depend on the client.
  func noteEnd() { state.withLock { $0.isComplete = true } }

  /// Has the reading end with its next piece.
  func cancel() { state.withLock { $0.isCancelled = true } }

  /// How many pieces have come; nil once all have.
  var progress: Int? { state.withLock { $0.isComplete ? nil : $0.pieces } }
}

/// Reports that nothing comes of a client's file.
///
/// It counts parts of the timeout, so that the time for which the process is stopped, or the system
/// suspended, counts as one part at most.
final class SilenceWatch {
  private static let parts = 4

  private let scheduler: Scheduler
  private let reading: FileReading
  private let timeout: Duration
  private let onSilence: (Step) -> Void
  private var timer: Timer?
  private var latest: Int? = 0
  private var silentParts = 0

  /// Watches a reading, which may not have begun, until ``stop()``.
  init(
    _ reading: FileReading, _ scheduler: Scheduler, timeout: Duration,
    onSilence: @escaping (Step) -> Void
  ) {
    (self.reading, self.scheduler) = (reading, scheduler)
    (self.timeout, self.onSilence) = (timeout, onSilence)
    arm()
  }

  func stop() {
    scheduler.cancel(timer)
    timer = nil
  }

  private func arm() {
    timer = scheduler.after(timeout / Self.parts) { [weak self] in self?.look(in: $0) }
  }

  private func look(in step: Step) {
    timer = nil
    let progress = reading.progress
    silentParts = progress == latest && progress != nil ? silentParts + 1 : 0
    latest = progress
    if silentParts < Self.parts { arm() } else { onSilence(step) }
  }
}
