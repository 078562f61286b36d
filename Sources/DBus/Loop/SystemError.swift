import Glibc

/// A system call that failed, and why.
public struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The call, such as "epoll_create1" or "open".
  public let call: String
  /// What errno said.
  public let code: Int32

  /// The failure of `call`, with that error code.
  public init(_ call: String, code: Int32) {
    self.call = call
    self.code = code
  }

  /// The failure of `call`, with what errno says now.
  public init(_ call: String) { self.init(call, code: errno) }

  /// The call and the system's words for what happened.
  public var description: String {
    "\(call): \(strerror(code).map { String(cString: $0) } ?? "error \(code)")"
  }
}
