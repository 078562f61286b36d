import Foundation
import Synchronization
import TestSupport
import Testing

@testable import LinkEngine

/// A nats-server for one test, with its own port and store.
///
/// It is killed when the last reference is released.
final class TestServer: Sendable {
  let folder: TestFolder
  let host: TestHost
  let port: UInt16
  private let options: [String]
  private let scheme: String
  private let process: Mutex<ChildProcess?>

  var store: String { folder.path + "/store" }

  /// Starts a server and waits until it accepts connections.
  init(
    scheme: String = "nats", on host: TestHost = .local,
    options: (TestFolder) -> [String] = { _ in [] }
  ) async throws {
    folder = try TestFolder()
    self.host = host
    self.options = options(folder)
    self.scheme = scheme
    let new = try Self.launch(port: "-1", on: host, folder, self.options)
    process = Mutex(new)
    let log = try await Self.readiness(of: folder)
    let address = try #require(log.firstMatch(of: /client connections on [0-9.]+:(\d+)/))
    port = try #require(UInt16(address.1))
  }

  deinit { stop() }

  func address(user: String = "", password: String = "", certificates: String = "") throws
    -> ServerAddress
  {
    try ServerAddress(
      url: "\(scheme)://\(host.address):\(port)", certificates: certificates, user: user,
      password: password)
  }

  func connect() throws -> NATSConnection { try NATSConnection(to: address(), waits: false) }

  /// The number of connections that the server has refused since its start, because of the user, the
  /// password or the key.
  var refusalCount: Int {
    get throws {
      try String(contentsOfFile: folder.path + "/log", encoding: .utf8)
        .matches(of: /authentication error/).count
    }
  }

  /// Restarts the server with the same port and store.
  func start() async throws {
    let new = try Self.launch(port: "\(port)", on: host, folder, options)
    process.withLock { $0 = new }
    _ = try await Self.readiness(of: folder)
  }

  /// Starts a cluster of a server on each host.
  static func cluster(on hosts: [TestHost]) async throws -> [TestServer] {
    let routes = try hosts.map { "nats://\($0.address):\(try freePort())" }
    var servers: [TestServer] = []
    for (number, (host, route)) in zip(hosts, routes).enumerated() {
      let options = [
        "--server_name", "s\(number)", "--cluster_name", "test", "--cluster", route, "--routes",
        routes.joined(separator: ","),
      ]
      servers.append(try await TestServer(on: host) { _ in options })
    }
    return servers
  }

  /// Stops the server with SIGSTOP, or continues it.
  func pause(_ isPaused: Bool) {
    process.withLock { process in
      process?.kill(isPaused ? SIGSTOP : SIGCONT)
    }
  }

  private static func launch(
    port: String, on host: TestHost, _ folder: TestFolder, _ options: [String]
  ) throws -> ChildProcess {
    let arguments =
      host.launcher + [
        "/usr/sbin/nats-server", "-a", host.address, "-p", port, "-js", "-sd",
        folder.path + "/store", "-l",
        folder.path + "/log",
      ] + options
    try? FileManager.default.removeItem(atPath: folder.path + "/log")
    return try ChildProcess("env", arguments)
  }

  /// Waits until the server's log says that JetStream is ready, and returns the log.
  private static func readiness(of folder: TestFolder) async throws -> String {
    @Sendable func log() -> String {
      String(
        decoding: FileManager.default.contents(atPath: folder.path + "/log") ?? Data(),
        as: UTF8.self)
    }
    try await eventually("the server is ready") { log().contains("Server is ready") }
    return log()
  }

  /// Kills the server with SIGKILL, like a crash.
  func stop() {
    process.withLock { process in
      process?.kill(SIGKILL)
      process?.waitForExit()
      process = nil
    }
  }

  /// Copies the store as it is now on the disk.
  func copyStore() throws -> String {
    let copy = "\(folder.path)/copy-\(UUID().uuidString)"
    try FileManager.default.copyItem(atPath: store, toPath: copy)
    return copy
  }

  /// Replaces the store of the stopped server by an earlier copy, like a disk that has lost writes.
  func restoreStore(_ copy: String) throws {
    try FileManager.default.removeItem(atPath: store)
    try FileManager.default.moveItem(atPath: copy, toPath: store)
  }

  /// Returns all bytes of the server's files.
  func bytesOnDisk() throws -> Data {
    var bytes = Data()
    let files = FileManager.default.enumerator(atPath: folder.path)
    while let name = files?.nextObject() as? String {
      bytes += Data(name.utf8)
      bytes += FileManager.default.contents(atPath: folder.path + "/" + name) ?? Data()
    }
    return bytes
  }
}

/// A directory for one test.
///
/// It is removed when the last reference is released.
final class TestFolder: Sendable {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.path + "/link-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}

struct Timeout: Error, CustomStringConvertible {
  let description: String
}

/// Returns a port of 127.0.0.1 that no program uses at the moment.
func freePort() throws -> UInt16 {
  let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
  defer { close(number) }
  var (address, length) = (sockaddr_in(), socklen_t(MemoryLayout<sockaddr_in>.size))
  address.sin_family = sa_family_t(AF_INET)
  address.sin_addr.s_addr = inet_addr("127.0.0.1")
  let status = withUnsafeMutablePointer(to: &address) { address in
    address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      bind(number, $0, length) == 0 ? getsockname(number, $0, &length) : -1
    }
  }
  guard number >= 0, status == 0 else { throw Timeout(description: "no free port") }
  return UInt16(bigEndian: address.sin_port)
}

/// Polls until a condition is true; throws an error after `seconds`.
func eventually(
  _ condition: String, seconds: Int = 20, _ isTrue: @Sendable () async throws -> Bool
) async throws {
  let end = ContinuousClock.now + .seconds(seconds)
  while ContinuousClock.now < end {
    if try await isTrue() { return }
    try await Task.sleep(for: .milliseconds(20))
  }
  throw Timeout(description: "not within \(seconds) seconds: \(condition)")
}

extension Task where Failure == any Error {
  /// Returns the result; throws an error after the deadline.
  func result(withinSeconds seconds: Int = 30) async throws -> Success {
    try await within(seconds: seconds) {
      try await withTaskCancellationHandler {
        try await value
      } onCancel: {
        cancel()
      }
    }
  }
}

/// Returns the result of `body`; throws an error after the deadline.
func within<Result: Sendable>(
  seconds: Int = 30, _ body: @escaping @Sendable () async throws -> Result
) async throws -> Result {
  try await withThrowingTaskGroup(of: Result.self) { group in
    group.addTask { try await body() }
    group.addTask {
      try await Task.sleep(for: .seconds(seconds))
      throw Timeout(description: "no result within \(seconds) seconds")
    }
    guard let result = try await group.next() else { throw CancellationError() }
    group.cancelAll()
    return result
  }
}
