import Foundation
import Synchronization

/// A port of 127.0.0.1 that leads to a server; a test can freeze and cut its connections.
final class TestRelay: Sendable {
  let port: UInt16
  private let target: String
  private let process: Mutex<Process>

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

  // Each connection has a process; Foundation gives them a group of their own.
  deinit { process.withLock { _ = kill(-$0.processIdentifier, SIGKILL) } }

  private static func start(_ port: UInt16, _ target: String) throws -> Process {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/socat")
    process.arguments = ["TCP-LISTEN:\(port),bind=127.0.0.1,fork,reuseaddr", target]
    process.standardError = FileHandle.nullDevice
    try process.run()
    return process
  }

  /// Carries nothing, or continues.
  func pause(_ isPaused: Bool) {
    process.withLock { _ = kill(-$0.processIdentifier, isPaused ? SIGSTOP : SIGCONT) }
  }

  /// Resets all connections.
  func restart() throws {
    try process.withLock { process in
      kill(-process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      process = try Self.start(port, target)
    }
  }
}
