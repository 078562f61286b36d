package import Files
internal import Glibc

/// The names in a directory.
///
/// Names that are added or removed during the listing may be missing.
package struct DirectoryListing: ~Copyable {
  private let raw: OpaquePointer
  private let path: String

  /// Opens a directory; nil if there is no such directory.
  ///
  /// The corresponding C function is `opendir`.
  package init?(_ path: String) throws(FileError) {
    guard let raw = opendir(path) else {
      guard errno == ENOENT else { throw FileError(path: path) }
      return nil
    }
    self.raw = raw
    self.path = path
  }

  deinit { closedir(raw) }

  /// Returns the next name, including `.` and `..`; nil at the end.
  package func next() throws(FileError) -> String? {
    errno = 0
    guard let entry = readdir(raw) else {
      guard errno == 0 else { throw FileError(path: path) }
      return nil
    }
    return withUnsafePointer(to: &entry.pointee.d_name) { name in
      name.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: name.pointee)) {
        String(cString: $0)
      }
    }
  }
}
