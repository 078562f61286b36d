import Foundation
import Synchronization
import TestSupport

/// A port of 127.0.0.1 that leads to a server; a test can freeze and cut its connections.
final class TestRelay: Sendable {
  let port: UInt16
  private let target: String
  private let process: Mutex<TestProgram>

  /// Creates a relay to a server on another host, for the test itself.
  convenience init(to server: TestServer) throws {
    let command = "socat STDIO TCP\\:\(server.host.address)\\:\(server.port)"
    try self.init(to: "EXEC:\((server.host.launcher + [command]).joined(separator: " "))")
  }

  /// Creates a relay to a port of 127.0.0.1.
  convenience init(to port: UInt16) throws { try self.init(to: "TCP:127.0.0.1:\(port)") }

  private init(to target: String) throws {
    (port, self.target) = (try freePort(), target)
    process = Mutex(try Self.start(port, target))
  }

  /// Starts the relay, which makes a process for each connection.
  private static func start(_ port: UInt16, _ target: String) throws -> TestProgram {
    let relay = ["socat", "-lf", "/dev/null", "TCP-LISTEN:\(port),bind=127.0.0.1,fork,reuseaddr"]
    return try TestProgram(relay + [target], ProcessInfo.processInfo.environment)
  }

  /// Carries nothing, or continues.
  func pause(_ isPaused: Bool) {
    process.withLock { $0.signal(isPaused ? SIGSTOP : SIGCONT) }
  }

  /// Resets all connections.
  func restart() throws {
    try process.withLock { process in
      process.kill()
      process = try Self.start(port, target)
    }
  }
}
