import DBus
import DragboardStore
import Logging

/// Limits the bytes on the disk that the rows of each sandbox hold.
///
/// Rows that only undo or `RestoreBoard` can restore count, too. The rows of a sandbox are measured
/// when it stores its first one, a few at a time between other calls, and again when it reaches the
/// limit: only the store knows which rows were removed. Until a measurement ends, the rows that
/// were stored since the start count. The rows of unidentified clients have no common source; they are
/// never measured, and count from the start of the daemon.
final class SandboxStorage {
  /// The cost of each row beside its bytes: rows of few bytes are not free.
  private static let bytesPerRow = 4 << 10
  /// A measurement takes at most one part in 20 of the time.
  private static let rest = 20
  private static let minInterval = Duration.seconds(1)

  private enum Measurement {
    case running
    case possible(from: Duration)
  }

  private struct Use {
    /// The bytes of the latest measurement, and all that was stored since.
    var bytes = 0
    /// Bytes of them that are on their way to the store.
    var pending = 0
    /// Bytes that were stored, or on their way, since the current measurement began.
    var added = 0
    var measurement = Measurement.possible(from: .zero)

    mutating func end(measuring stored: Int) { bytes = stored + added }
  }

  private let scheduler: Scheduler
  private let maxBytes: Int
  private let log: Logger
  private var uses: [String: Use] = [:]

  init(_ scheduler: Scheduler, maxBytes: Int, _ log: Logger) {
    (self.scheduler, self.maxBytes, self.log) = (scheduler, maxBytes, log)
  }

  /// Counts bytes that new rows of a caller's sandbox are going to hold; nil counts nothing.
  ///
  /// - Throws: LimitsExceeded; then nothing is counted.
  func charge(
    _ bytes: Int, rows: Int, to sandbox: String?, argument: String
  ) throws(DBusError) {
    guard let sandbox else { return }
    if uses[sandbox] == nil { measure(sandbox) }
    let cost = bytes + rows * Self.bytesPerRow
    guard (uses[sandbox]?.bytes ?? 0) + cost <= maxBytes else {
      measure(sandbox)
      throw .limit("\(argument): max-sandbox-bytes of the sandbox's rows", maxBytes)
    }
    uses[sandbox]?.bytes += cost
    uses[sandbox]?.pending += cost
    uses[sandbox]?.added += cost
  }

  /// Notes that counted bytes are in the store, or that their insertion has failed.
  func settle(_ bytes: Int, rows: Int, of sandbox: String?) {
    guard let sandbox else { return }
    uses[sandbox]?.pending -= bytes + rows * Self.bytesPerRow
  }

  // MARK: Measuring

  private func measure(_ sandbox: String) {
    var use = uses[sandbox] ?? Use()
    defer { uses[sandbox] = use }
    guard !sandbox.isEmpty, case .possible(let start) = use.measurement,
      start <= scheduler.uptime
    else { return }
    use.measurement = .running
    use.added = use.pending
    var measured = SourceUse(of: sandbox)
    var spent = Duration.zero
    scheduler.repeatInSteps { [weak self] step in
      guard let self else { return false }
      let start = scheduler.uptime
      do throws(StoreError) {
        if try step.store.measure(&measured) {
          spent += scheduler.uptime - start
          return true
        }
        let stored = measured.bytes + measured.rows * Self.bytesPerRow
        uses[sandbox]?.end(measuring: stored)
      } catch { log.error("the rows of a sandbox cannot be measured: \(error)") }
      let pause = max(Self.minInterval, spent * Self.rest)
      uses[sandbox]?.measurement = .possible(from: scheduler.uptime + pause)
      return false
    }
  }
}
