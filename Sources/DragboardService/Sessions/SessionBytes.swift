import DBus

/// The number of bytes of active sessions, in total and for each sandbox, with the limits.
final class SessionBytes {
  private let max: Int
  private var total = 0
  private var sandboxes: [String: Int] = [:]

  init(max: Int) { self.max = max }

  /// Counts bytes that a session has added.
  ///
  /// A negative number means removed bytes.
  func count(_ difference: Int, of sandbox: String?) {
    total += difference
    guard let sandbox, difference != 0 else { return }
    let own = sandboxes[sandbox, default: 0] + difference
    sandboxes[sandbox] = own > 0 ? own : nil
  }

  /// Returns whether more bytes are within the limits.
  func hasRoom(for bytes: Int, of sandbox: String?) -> Bool {
    (try? checkRoom(for: bytes, of: sandbox)) != nil
  }

  /// Refuses bytes that would exceed a limit.
  ///
  /// - Throws: LimitsExceeded if the total or the sandbox's share would be too large.
  func checkRoom(for bytes: Int, of sandbox: String?) throws(DBusError) {
    guard bytes != 0 else { return }
    guard total + bytes <= max else { throw .limit("sessions: max-bytes", max) }
    let share = Quota.share(of: max)
    guard let sandbox, sandboxes[sandbox, default: 0] + bytes > share else { return }
    throw .limit("sessions: a sandbox's share of max-bytes", share)
  }
}
