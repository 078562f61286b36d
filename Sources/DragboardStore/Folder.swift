internal import Glibc

/// A folder of the file system, and what is made in it.
enum Folder {
  /// Makes the folder and what is missing above it, durably, for this user alone.
  static func make(_ path: String) throws(StoreError) {
    var end = path.startIndex
    while end != path.endIndex {
      end = path[end...].dropFirst().firstIndex(of: "/") ?? path.endIndex
      let folder = String(path[..<end])
      if mkdir(folder, 0o700) == 0 {
        sync(folder + "/..")
      } else if errno != EEXIST && errno != EISDIR {
        throw .unusable(path: folder, reason: String(errno: errno))
      }
    }
  }

  /// Makes an empty file that this user alone can read, where there is none.
  static func touch(_ path: String) throws(StoreError) {
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw .unusable(path: path, reason: String(errno: errno)) }
    close(file)
  }

  /// Makes the names in the folder durable.
  ///
  /// SQLite does so for the folder that its files are in.
  private static func sync(_ path: String) {
    let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { return }  // one that can be written to, but not read
    fsync(folder)
    close(folder)
  }
}
