import CLinux
import Files
import Glibc

/// A directory in which files are created.
///
/// The directory is kept open. So files are created in this directory even if another process
/// renames or replaces it.
final class OutputDirectory {
  let path: String
  /// A descriptor for `openat` and similar calls (`O_PATH`).
  let descriptor: FileDescriptor

  /// Opens a directory in which this process can create files.
  ///
  /// - Throws: `CommandError` if the directory cannot be opened or is not writable.
  init(_ path: String) throws(CommandError) {
    descriptor = FileDescriptor(
      adopting: NativeArguments.withBytes(of: path) { clinux_open_directory(AT_FDCWD, $0) })
    self.path = path
    guard descriptor.number >= 0, faccessat(descriptor.number, ".", W_OK | X_OK, 0) == 0 else {
      throw .cannotOpen(path)
    }
  }
}
