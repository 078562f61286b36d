import DBus
import Synchronization

/// The progress of reading a client's file.
///
/// The reading thread and the loop share this object.
final class FileReading: Sendable {
  private struct State {
    var pieces = 0
    var isComplete = false
    var isCancelled = false
  }

  private let state = Mutex(State())

  /// Records that a piece of the file was read.
  ///
  /// - Throws: IOError if the read was cancelled.
  func notePiece() throws(DBusError) {
    let isCancelled = state.withLock { state in
      state.pieces += 1
      return state.isCancelled
    }
    if isCancelled { throw DBusError(.ioError, "fd: the read was cancelled") }
  }

  /// Records that the whole file was read, so that the rest of the work does not depend on the
  /// client.
  func noteEnd() { state.withLock { $0.isComplete = true } }

  /// Cancels the read, which ends with its next piece.
  func cancel() { state.withLock { $0.isCancelled = true } }

  /// The number of pieces that were read; nil after the end of the file.
  var progress: Int? { state.withLock { $0.isComplete ? nil : $0.pieces } }
}

/// A watch that reports when a client's file hangs.
///
/// The timeout is divided into parts. A stop of the process or a suspension of the system, however
/// long, counts as at most one part.
final class SilenceWatch {
  private static let parts = 4

  private let scheduler: Scheduler
  private let reading: FileReading
  private let timeout: Duration
  private let onSilence: (Step) -> Void
  private var timer: Timer?
  private var latest: Int? = 0
  private var silentParts = 0

  /// Watches a read until ``stop()`` is called.
  ///
  /// The read may begin later.
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
