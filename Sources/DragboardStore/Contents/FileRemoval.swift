internal import CLinux
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
    if needsThread, !startThread() { removeAll() }
  }

  private func startThread() -> Bool {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    pthread_attr_setstacksize(&attributes, 128 << 10)
    var thread = pthread_t()
    let this = Unmanaged.passRetained(self)
    guard pthread_create(&thread, &attributes, { threadOfRemoval($0) }, this.toOpaque()) == 0
    else {
      this.release()
      return false
    }
    return true
  }

  fileprivate func removeAll() {
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

private func threadOfRemoval(_ removal: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  removal.map { Unmanaged<FileRemoval>.fromOpaque($0).takeRetainedValue().removeAll() }
  return nil
}
