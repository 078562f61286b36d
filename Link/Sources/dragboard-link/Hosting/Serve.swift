import ArgumentParser
import Files
import Glibc
import LinkEngine

/// The service that provides the server of a group which no administrator runs.
struct Serve: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Run the server of the group, or ssh to it; the systemd unit runs this.",
    discussion: "'dragboard link host' and 'dragboard link with' start it.")

  func run() throws {
    let store = ConfigurationStore.ofUser
    guard try store.loadRoute() != nil else { throw NotServing() }
    let lock = try ServiceLock(of: .server, in: store)
    defer { withExtendedLifetime(lock) {} }
    var supervisor = Supervisor { try Self.programs(in: store) }
    try supervisor.run { ServerFailure.write($0, in: store) }
  }

  /// The error if this machine has no route.
  struct NotServing: Error, CustomStringConvertible {
    let description =
      "serve: this machine runs no server of a group (to do so: dragboard link host)"
  }

  /// The programs of the route; empty after it was removed.
  private static func programs(in store: ConfigurationStore) throws -> [SupervisedProgram] {
    switch try store.loadRoute() {
    case .hosted(let server):
      try HostedPrograms(server, in: store).all() + [server.earlier?.program].compactMap(\.self)
    case .tunnel(let tunnel): [tunnel.program]
    case nil: []
    }
  }
}

/// The last failure of the service `serve`, which `with` and `status` read from a file.
enum ServerFailure {
  private static func path(in store: ConfigurationStore) -> String {
    store.stateDirectory + "/serve-failure"
  }

  /// Records the failure; nil if there is none.
  static func write(_ text: String?, in store: ConfigurationStore) {
    let path = path(in: store)
    guard let text else {
      unlink(path)
      return
    }
    try? AtomicFile.write(Array(text.utf8), to: path, isDurable: false)
  }

  /// Returns the failure; nil if there is none.
  static func read(in store: ConfigurationStore) -> String? {
    guard let file = try? FileDescriptor(opening: path(in: store), O_RDONLY),
      let bytes = file.read(4_096, at: 0), !bytes.isEmpty
    else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }
}
