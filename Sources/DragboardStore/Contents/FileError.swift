internal import Glibc

/// What the system refused to do with a file, and why.
public struct FileError: Error, Hashable, Sendable {
  /// The file.
  public let path: String

  /// The number of the error (`ENOSPC`): errno(3); 0 if the path is not a regular file.
  public let code: Int32

  init(path: String, code: Int32) {
    self.path = path
    self.code = code
  }

  /// The latest error of this thread.
  init(path: String) {
    self.init(path: path, code: errno)
  }
}

extension FileError: CustomStringConvertible {
  /// The file, and what the system says of the error.
  public var description: String { "\(path): \(reason)" }

  /// What the system says of the error.
  var reason: String { code == 0 ? "not a regular file" : String(errno: code) }
}
