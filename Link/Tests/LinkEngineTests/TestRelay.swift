import Foundation
import Synchronization

/// The connection of a machine to its server: a TCP relay that a test can freeze and cut.
final class TestRelay: Sendable {
  let port: UInt16
  private let target: UInt16
  private let process: Mutex<Process>

  init(to target: UInt16) throws {
    (port, self.target) = (try freePort(), target)
    process = Mutex(try Self.start(port, target))
  }

  deinit { process.withLock { _ = kill(-$0.processIdentifier, SIGKILL) } }

  private static func start(_ port: UInt16, _ target: UInt16) throws -> Process {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/socat")
    process.arguments = [
      "TCP-LISTEN:\(port),bind=127.0.0.1,fork,reuseaddr", "TCP:127.0.0.1:\(target)",
    ]
    process.standardError = FileHandle.nullDevice
    try process.run()
    return process
  }

  /// Freezes all connections, or continues them.
  func pause(_ isPaused: Bool) {
    // Each connection has a process. Foundation puts these processes into a separate process group.
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
