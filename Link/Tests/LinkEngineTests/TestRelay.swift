import Foundation

/// A port of 127.0.0.1 that leads to a server on another host, for the test itself.
final class TestRelay: Sendable {
  let port: UInt16
  private let process = Process()

  init(to server: TestServer) throws {
    port = try freePort()
    let target = "socat STDIO TCP\\:\(server.host.address)\\:\(server.port)"
    process.executableURL = URL(filePath: "/usr/bin/socat")
    process.arguments = [
      "TCP-LISTEN:\(port),bind=127.0.0.1,fork,reuseaddr",
      "EXEC:\((server.host.launcher + [target]).joined(separator: " "))",
    ]
    process.standardError = FileHandle.nullDevice
    try process.run()
  }

  // Each connection has processes; Foundation gives them a group of their own.
  deinit { kill(-process.processIdentifier, SIGKILL) }
}
