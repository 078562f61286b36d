internal import Files
internal import Glibc
internal import Synchronization

/// The removal of large files on a separate thread.
///
/// A file system needs tens of milliseconds to free a hundred megabytes. The thread starts with the
/// first file and ends after the last one. This class is thread-safe.
final class FileRemoval: Sendable {
  private struct State {
    var paths: [String] = []
    var hasThread = false
  }

  private let state = Mutex(State())

  /// Schedules the removal of a file, or removes it at once if no thread can be started.
  ///
  /// Files that remain when the process ends are removed at the next opening of the store.
  func remove(_ path: String) {
    let needsThread = state.withLock { state in
      defer { state.hasThread = true }
      state.paths.append(path)
      return !state.hasThread
    }
    guard needsThread else { return }
    do throws(SystemError) {
      try DetachedThread.start(stackSize: 128 << 10) { [self] in removeAll() }
    } catch { removeAll() }
  }

  private func removeAll() {
    while let path = next() { unlink(path) }
  }

  private func next() -> String? {
    state.withLock { state in
      let path = state.paths.popLast()
      state.hasThread = path != nil
      return path
    }
  }
}
