import CLinux
import DBus

/// Gives memory back to the system in which there is code that nobody needs for now.
///
/// Of its code and that of its libraries the daemon needs one part to start, another one for calls, a third one for large contents, and
/// next to nothing to wait. What is used again comes back from the page cache: some tenths of a millisecond in all for the first call.
final class CodeRelease {
  /// Code that small calls do not need goes soon; people call by the minute.
  private static let largeQuiet = Duration.milliseconds(400)

  private unowned let service: Service
  private let quiet: Duration
  private let release: () -> Void
  private var timer: Timer?
  /// Whether anybody has called since `timer` was set.
  private var wasUsed = false

  /// Has `release` called when nobody has called for `quiet`; at the latest for twice as long, as calls are not timed.
  init(
    _ service: Service, quiet: Duration = .seconds(30),
    release: @escaping () -> Void = clinux_release_code
  ) {
    self.service = service
    self.quiet = quiet
    self.release = release
  }

  /// Somebody calls.
  func noteCall() {
    if timer == nil { wait(for: quiet) } else { wasUsed = true }
  }

  /// Much has been used that small calls do not need: for the start, or for a large content.
  func noteLargeUse() {
    if let timer { service.connection.loop.cancel(timer) }
    wait(for: Self.largeQuiet)
  }

  private func wait(for quiet: Duration) {
    wasUsed = false
    timer = service.schedule(after: quiet) { [weak self] in
      guard let self else { return }
      timer = nil
      if wasUsed { wait(for: quiet) } else { release() }
    }
  }
}
