import CLinux
import Files
import Glibc

/// A directory in which files are created: it stays the same if its path leads elsewhere meanwhile.
final class Directory {
  let path: String
  /// Open for `openat` and the like (`O_PATH`).
  let descriptor: FileDescriptor

  /// Opens a directory in which this process can create files.
  ///
  /// - Throws: `CommandError`.
  init(_ path: String) throws(CommandError) {
    descriptor = FileDescriptor(
      adopting: NativeArguments.withBytes(of: path) { clinux_open_directory(AT_FDCWD, $0) })
    self.path = path
    guard descriptor.number >= 0, faccessat(descriptor.number, ".", W_OK | X_OK, 0) == 0 else {
      throw .cannotOpen(path)
    }
  }
}
