internal import Glibc

/// The error of a file operation that the system refused.
public struct FileError: Error, Hashable, Sendable {
  /// The file.
  public let path: String

  /// The error number of errno(3), such as `ENOSPC`; 0 if the path is not a regular file.
  public let code: Int32

  /// Creates the failure of an operation on `path` with an error number.
  public init(path: String, code: Int32) {
    self.path = path
    self.code = code
  }

  /// Creates the failure of an operation on `path` with the latest error of this thread.
  public init(path: String) { self.init(path: path, code: errno) }

  /// The system's description of the error.
  public var reason: String { code == 0 ? "not a regular file" : String(errno: code) }
}

extension FileError: CustomStringConvertible {
  /// The file and the system's description of the error.
  public var description: String { "\(path): \(reason)" }
}
