internal import Glibc

/// What the system refused to do with a file, and why.
public struct FileError: Error, Hashable, Sendable {
  /// The file.
  public let path: String

  /// The number of the error (`ENOSPC`): errno(3).
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
  public var description: String { "\(path): \(String(errno: code))" }
}
