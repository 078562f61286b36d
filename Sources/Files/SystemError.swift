internal import Glibc

/// A failed system call and its error.
public struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The call, such as "epoll_create1" or "open".
  public let call: String
  /// The error number of errno(3).
  public let code: Int32

  /// Creates the failure of `call` with an error number.
  public init(_ call: String, code: Int32) {
    self.call = call
    self.code = code
  }

  /// Creates the failure of `call` with the latest error of this thread.
  public init(_ call: String) { self.init(call, code: errno) }

  /// The call and the system's description of the error.
  public var description: String { "\(call): \(String(errno: code))" }
}

extension String {
  /// The system's description of an error number.
  init(errno number: Int32) {
    self = strerror(number).map { String(cString: $0) } ?? "error \(number)"
  }
}
