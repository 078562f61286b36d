import DBus
import DragModel
import Logging

/// The bytes on the disk that the rows of each sandbox hold, bounded for each.
///
/// Rows that only undo can bring back count, too. The rows of a sandbox are measured when it first
/// stores one, a few at a time between other calls, and again when it reaches the limit: only the
/// store knows what was removed since. Until a measurement ends, what was stored since the start
/// counts. The rows of unidentified clients have no common source; they are never measured, and count
/// from the start of the daemon.
final class SandboxStorage {
  /// What each row costs beside its bytes: rows of few bytes are not free.
  private static let bytesPerRow = 4 << 10
  /// A measurement takes at most one part in so many of the time.
  private static let rest = 20
  private static let minInterval = Duration.seconds(1)

  private struct Use {
    /// The bytes of the latest measurement, and all that was stored since.
    var bytes = 0
    /// Bytes of them that are on their way to the store.
    var pending = 0
    /// Bytes that were stored, or on their way, since the current measurement began.
    var added = 0
    var isMeasuring = false
    /// The time from which the rows may be measured again.
    var nextMeasurement = Duration.zero

    /// Takes the outcome of a measurement.
    mutating func end(measuring stored: Int) { bytes = stored + added }
  }

  private unowned let service: Service
  private var uses: [String: Use] = [:]

  init(_ service: Service) { self.service = service }

  /// Counts bytes that rows of a caller's sandbox are going to hold.
  ///
  /// - Parameters:
  ///   - bytes: the bytes of the rows.
  ///   - rows: the number of new rows.
  ///   - sandbox: the sandbox that brings them; nil counts nothing.
  ///   - argument: the argument that the error names.
  /// - Throws: LimitsExceeded; then nothing is counted.
  func charge(
    _ bytes: Int, rows: Int, to sandbox: String?, argument: String
  ) throws(DBusError) {
    guard let sandbox else { return }
    if uses[sandbox] == nil { measure(sandbox) }
    let (cost, most) = (bytes + rows * Self.bytesPerRow, service.limits.maxSandboxBytes)
    guard (uses[sandbox]?.bytes ?? 0) + cost <= most else {
      measure(sandbox)
      throw .limit("\(argument): max-sandbox-bytes of the sandbox's rows", most)
    }
    uses[sandbox]?.bytes += cost
    uses[sandbox]?.pending += cost
    uses[sandbox]?.added += cost
  }

  /// Notes that counted bytes are in the store, or will never be.
  func settle(_ bytes: Int, rows: Int, of sandbox: String?) {
    guard let sandbox else { return }
    uses[sandbox]?.pending -= bytes + rows * Self.bytesPerRow
  }

  // MARK: Measuring

  private func measure(_ sandbox: String) {
    var use = uses[sandbox] ?? Use()
    defer { uses[sandbox] = use }
    guard !sandbox.isEmpty, !use.isMeasuring, use.nextMeasurement <= service.uptime else { return }
    use.isMeasuring = true
    use.added = use.pending
    var measured = SourceUse(of: sandbox)
    var spent = Duration.zero
    service.workInSteps { [weak self] in
      guard let self else { return false }
      let start = service.uptime
      do throws(RepositoryError) {
        if try service.repository.measure(&measured) {
          spent += service.uptime - start
          return true
        }
        let stored = measured.bytes + measured.rows * Self.bytesPerRow
        uses[sandbox]?.end(measuring: stored)
      } catch { service.log.error("the rows of a sandbox cannot be measured: \(error.message)") }
      uses[sandbox]?.isMeasuring = false
      uses[sandbox]?.nextMeasurement =
        service.uptime + max(Self.minInterval, spent * Self.rest)
      return false
    }
  }
}

/// The bytes and rows of one source, as far as they have been counted.
public struct SourceUse {
  /// The source.
  public let source: String
  /// The number of rows.
  public private(set) var rows = 0
  /// The bytes of their representations.
  public private(set) var bytes = 0
  /// The key of the last representation that was looked at.
  public var lastKey = Int64.min
  private var isInRow = false

  /// Begins to count.
  public init(of source: String) { self.source = source }

  /// Counts a representation; `source` is nil if it is not the first one of its row.
  public mutating func add(_ source: String?, byteCount: Int) {
    if let source {
      isInRow = source == self.source
      if isInRow { rows += 1 }
    }
    if isInRow { bytes += byteCount }
  }
}
