import CGtk4
import CShelf
import Dispatch

/// GLib's loop as what the main actor runs on.
enum MainLoop {
  /// Lets jobs of the main actor run on GLib's loop; called once, before the loop runs.
  static func adoptMainActor() {
    g_unix_fd_add(
      shelf_main_queue_descriptor(), G_IO_IN,
      { _, _, _ in
        shelf_main_queue_run()
        return 1
      }, nil)
  }

  /// Has `body` called once, when that much time has passed.
  ///
  /// - Returns: what takes it back.
  @discardableResult
  static func after(_ time: Duration, _ body: @escaping () -> Void) -> Timer {
    let timer = Timer(body)
    timer.start(after: time)
    return timer
  }
}

/// Something that is to be done later, once.
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

  /// It is not to be done any more; no error where it was.
  func cancel() {
    if source != 0 { g_source_remove(source) }
    source = 0
  }
}
