import DBus
import DragboardStore
import Logging

/// The limit of the bytes on the disk that the rows of each sandbox need.
///
/// Rows that only undo or `RestoreBoard` can restore count, too. A sandbox is measured when it
/// stores its first row, and again when it reaches the limit, because only the store knows which
/// rows were removed. A measurement reads a few rows at a time, between other calls. Until the
/// first measurement ends, only the rows that were stored since the start of the daemon count. The
/// same applies to the rows of unidentified clients at all times: they have no common source, so
/// they cannot be measured.
final class SandboxStorage {
  /// The cost of each row in addition to its bytes, so that rows of few bytes are not free.
  private static let bytesPerRow = 4 << 10
  /// Measurements take at most one twentieth of the time.
  private static let rest = 20
  private static let minInterval = Duration.seconds(1)

  private enum Measurement {
    case running
    case possible(from: Duration)
  }

  private struct Use {
    /// The bytes of the latest measurement, and all bytes that were charged since.
    var bytes = 0
    /// The part of `bytes` that is not in the store yet.
    var pending = 0
    /// The bytes that the current measurement may miss, because they were not in the store when it
    /// began.
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

  /// Charges the bytes of new rows to the caller's sandbox.
  ///
  /// If `sandbox` is nil, it does nothing.
  ///
  /// - Throws: LimitsExceeded if the limit would be exceeded. In this case nothing is charged.
  func charge(
    _ bytes: Int, rows: Int, to sandbox: String?, argument: String
  ) throws(DBusError) {
    guard let sandbox else { return }
    if uses[sandbox] == nil { measure(sandbox) }
    let cost = bytes + rows * Self.bytesPerRow
    guard (uses[sandbox]?.bytes ?? 0) + cost <= maxBytes else {
      measure(sandbox)
      throw .limit("\(argument): max-sandbox-bytes", maxBytes)
    }
    uses[sandbox]?.bytes += cost
    uses[sandbox]?.pending += cost
    uses[sandbox]?.added += cost
  }

  /// Records that charged bytes are in the store, or that their insertion has failed.
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
      } catch { log.error("the size of a sandbox's rows cannot be determined: \(error)") }
      let pause = max(Self.minInterval, spent * Self.rest)
      uses[sandbox]?.measurement = .possible(from: scheduler.uptime + pause)
      return false
    }
  }
}
