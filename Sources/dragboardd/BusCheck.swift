import DBus
import Glibc

/// A check whether the bus is still running after it has closed the connection.
enum BusCheck {
  /// The timeout for an answer of the bus; alarm(2) takes whole seconds.
  private static let seconds: UInt32 = 2

  /// Returns whether the bus accepts a new connection.
  ///
  /// The process must have no work left: if the bus hangs, the process ends with code 0, as if the
  /// bus had ended. libdbus has no timeout for connecting.
  static func answers(_ address: String?) -> Bool {
    signal(SIGALRM) { _ in _exit(Daemon.Exit.done.rawValue) }
    alarm(seconds)
    defer { alarm(0) }
    guard let loop = try? EventLoop(), let connection = try? Connection(to: address, on: loop)
    else {
      return false
    }
    connection.close()
    return true
  }
}
