import DBus
import Glibc

/// A look whether a bus that has closed the connection goes on without the daemon.
enum BusCheck {
  /// How long a bus may take to answer; alarm(2) takes whole seconds.
  private static let seconds: UInt32 = 2

  /// Connects once.
  ///
  /// The process must have nothing left to do: if the bus hangs, the process ends with code 0, as if
  /// the bus had ended. libdbus has no timeout for connecting.
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
