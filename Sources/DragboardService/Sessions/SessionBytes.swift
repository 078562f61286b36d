import DBus

/// The bytes that active sessions hold, all together and those of each sandbox, and their limits.
final class SessionBytes {
  private let max: Int
  private var total = 0
  private var sandboxes: [String: Int] = [:]

  init(max: Int) { self.max = max }

  /// Counts bytes that a session has added, or removed if the number is negative.
  func count(_ difference: Int, of sandbox: String?) {
    total += difference
    guard let sandbox, difference != 0 else { return }
    let own = sandboxes[sandbox, default: 0] + difference
    sandboxes[sandbox] = own > 0 ? own : nil
  }

  /// Whether there is room for more bytes.
  func hasRoom(for bytes: Int, of sandbox: String?) -> Bool {
    (try? checkRoom(for: bytes, of: sandbox)) != nil
  }

  /// Refuses bytes for which there is no room.
  ///
  /// - Throws: LimitsExceeded.
  func checkRoom(for bytes: Int, of sandbox: String?) throws(DBusError) {
    guard bytes != 0 else { return }
    guard total + bytes <= max else { throw .limit("max-bytes", max) }
    let share = Quota.share(of: max)
    guard let sandbox, sandboxes[sandbox, default: 0] + bytes > share else { return }
    throw .limit("a sandbox's share of max-bytes", share)
  }
}
