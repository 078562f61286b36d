import CLinux
import DBus

/// Gives memory back to the system in which there is code that nobody needs for now.
///
/// Of its code and that of its libraries the daemon needs one part to start, another one for calls, a third one for large contents, and
/// next to nothing to wait. What is used again comes back from the page cache: some tenths of a millisecond in all for the first call.
final class CodeRelease {
  /// What code has been used for.
  enum Use {
    /// The start, or a large content: there is much that small calls do not need.
    case large
    /// Small calls, such as people make by the minute.
    case small

    /// Code goes when nobody has called for so long, at the latest for twice as long: calls are not timed.
    fileprivate var quiet: Duration { self == .large ? .milliseconds(400) : .seconds(30) }
  }

  private unowned let service: Service
  private var pending: (use: Use, timer: Timer)?
  /// Whether anybody has called since `pending` was made.
  private var wasUsed = false

  init(_ service: Service) { self.service = service }

  /// Somebody calls.
  func noteCall() {
    if pending == nil { note(.small) } else { wasUsed = true }
  }

  /// Code has been used.
  func note(_ use: Use) {
    if let pending {
      // A large content's time is the shorter one.
      guard use == .large || pending.use == .small else { return }
      service.connection.loop.cancel(pending.timer)
    }
    wasUsed = false
    let timer = service.schedule(after: use.quiet) { [weak self] in
      guard let self else { return }
      pending = nil
      if wasUsed { note(use) } else { clinux_release_code() }
    }
    pending = (use, timer)
  }
}
