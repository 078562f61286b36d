internal import Glibc

/// Directories of the user.
public enum Directories {
  /// Creates a directory and its parents, unless they exist.
  ///
  /// Only the user can access a new directory, as the XDG Base Directory Specification requires.
  ///
  /// - Throws: the error of the system.
  public static func create(_ path: String) throws(FileError) {
    if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
    guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex else {
      throw FileError(path: path)
    }
    try create(String(path[..<slash]))
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw FileError(path: path) }
  }
}
