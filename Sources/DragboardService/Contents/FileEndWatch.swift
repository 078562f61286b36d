import CLinux
import DBus
import Files

/// A watch of unnamed files.
///
/// It reports when no process has a watched file open or mapped.
///
/// The watch does not keep a file open. So the blocks of a large file are freed when the last
/// client closes it.
protocol FileEndWatch: AnyObject {
  /// Calls `body` when the system has deleted the file.
  ///
  /// - Returns: whether the system had a watch left. If not, `body` is never called.
  func onEnd(of file: FileDescriptor, _ body: @escaping () -> Void) -> Bool

  /// Reports the files that have been deleted so far.
  func update()
}

/// A watch that uses inotify.
///
/// The kernel deletes an unnamed file when its last reference is closed.
///
/// A user has few inotify instances (128 by default), so all files share one.
///
/// Source: inotify(7), `IN_DELETE_SELF` and `max_user_instances`.
final class InotifyWatch: FileEndWatch {
  private let loop: EventLoop
  private var inotify: FileDescriptor?
  private var bodies: [Int32: () -> Void] = [:]

  init(_ loop: EventLoop) { self.loop = loop }

  func onEnd(of file: FileDescriptor, _ body: @escaping () -> Void) -> Bool {
    guard let inotify = inotify ?? makeInotify() else { return false }
    let number = clinux_watch_end(inotify.number, file.number)
    guard number >= 0 else { return false }
    bodies[number] = body
    return true
  }

  func update() {
    guard let inotify else { return }
    while case let number = clinux_next_end(inotify.number), number >= 0 {
      bodies.removeValue(forKey: number)?()
    }
  }

  private func makeInotify() -> FileDescriptor? {
    let new = FileDescriptor(adopting: clinux_inotify())
    guard new.number >= 0 else { return nil }
    do throws(SystemError) {
      try loop.watch(new.number, for: .readable) { [weak self] _ in self?.update() }
    } catch { return nil }
    inotify = new
    return new
  }
}
