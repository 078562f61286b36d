import Foundation
import TestSupport

@testable import LinkEngine

/// nats-server with the files of a `HostedServer`.
final class HostedTestServer: Sendable {
  let folder: TestFolder
  private let process: ChildProcess

  init(_ server: HostedServer) async throws {
    folder = try TestFolder()
    try Self.write(server, in: folder)
    process = try ChildProcess(
      "/usr/sbin/nats-server",
      ["--config", folder.path + "/nats.conf", "-l", folder.path + "/log"])
    try await eventually("the server is ready") { [folder] in
      (try? String(contentsOfFile: folder.path + "/log", encoding: .utf8))?
        .contains("is ready") == true
    }
  }

  deinit { stop() }

  func stop() { process.kill(SIGKILL) }

  static func write(_ server: HostedServer, in folder: TestFolder) throws {
    for file in server.files(in: folder.path, syncs: false) {
      try file.text.write(
        toFile: "\(folder.path)/\(file.name)", atomically: true, encoding: .utf8)
    }
  }

  /// The number of connections that the server has refused.
  var refusalCount: Int { count(of: "authentication error") }

  private func count(of words: String) -> Int {
    let log = (try? String(contentsOfFile: folder.path + "/log", encoding: .utf8)) ?? ""
    return log.ranges(of: words).count
  }

  /// Lets the server read other settings, and waits until it uses them.
  func reload(_ server: HostedServer) async throws {
    let reloads = count(of: "Reloaded server configuration")
    try Self.write(server, in: folder)
    process.kill(SIGHUP)
    try await eventually("the server has other settings") {
      self.count(of: "Reloaded server configuration") > reloads
    }
  }

  static func address(
    _ server: HostedServer, _ login: SigningKey, certificate: ServerCertificate? = nil
  ) throws -> ServerAddress {
    try ServerAddress(
      url: "tls://127.0.0.1:\(server.port)",
      host: GroupHost(
        machine: "desktop", certificate: certificate ?? server.certificate, login: login))
  }
}
