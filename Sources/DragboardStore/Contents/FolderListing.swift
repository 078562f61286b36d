internal import Glibc

/// The names in a folder, one after the other; those that come and go meanwhile may be missing.
struct FolderListing: ~Copyable {
  private let raw: OpaquePointer

  /// The corresponding C function is `opendir`; nil where the folder cannot be read, or is not there.
  init?(_ path: String) {
    guard let raw = opendir(path) else { return nil }
    self.raw = raw
  }

  deinit { closedir(raw) }

  /// The next name, `.` and `..` among them; nil at the end.
  func next() -> String? {
    guard let entry = readdir(raw) else { return nil }
    return withUnsafePointer(to: &entry.pointee.d_name) { name in
      name.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: name.pointee)) {
        String(cString: $0)
      }
    }
  }
}
