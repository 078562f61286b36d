import CGtk4
import CShelf
import Dispatch

/// GLib's main loop, on which the main actor runs.
enum MainLoop {
  /// Runs jobs of the main actor on GLib's loop; must be called once, before the loop runs.
  static func adoptMainActor() {
    g_unix_fd_add(
      shelf_main_queue_descriptor(), G_IO_IN,
      { _, _, _ in
        shelf_main_queue_run()
        return 1
      }, nil)
  }

  /// Calls `body` once after a time.
  ///
  /// - Returns: the timer, which can be cancelled.
  @discardableResult
  static func after(_ time: Duration, _ body: @escaping () -> Void) -> Timer {
    let timer = Timer(body)
    timer.start(after: time)
    return timer
  }
}

/// A pending call.
final class Timer {
  private let body: () -> Void
  private var source: guint = 0

  fileprivate init(_ body: @escaping () -> Void) { self.body = body }

  fileprivate func start(after time: Duration) {
    let (seconds, attoseconds) = time.components
    source = g_timeout_add_full(
      G_PRIORITY_DEFAULT, guint(seconds * 1000 + attoseconds / 1_000_000_000_000_000),
      { data in
        if let timer = held(data, as: Timer.self) {
          timer.source = 0
          timer.body()
        }
        return 0
      }, hold(self), { release($0) })
  }

  /// Cancels the call, unless it has already been made.
  func cancel() {
    if source != 0 { g_source_remove(source) }
    source = 0
  }
}
