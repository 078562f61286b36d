import DBus
import Glibc

/// A check whether the bus is still running after it has closed the connection.
enum BusCheck {
  /// The timeout for an answer of the bus, in whole seconds, as alarm(2) requires.
  private static let seconds: UInt32 = 2

  /// Returns whether the bus accepts a new connection.
  ///
  /// Call it only when the process has no work left. libdbus has no timeout for connecting. So if
  /// the bus hangs, an alarm ends the process with code 0, as if the bus had ended.
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
