internal import Files
internal import Glibc

/// The way of this machine to a server that no administrator runs.
///
/// `dragboard-link serve` provides it.
public enum ServerRoute: Hashable, Sendable {
  /// This machine runs the server.
  case hosted(HostedServer)
  /// Another machine of the user runs the server, and ssh leads to it.
  case tunnel(Tunnel)

  private static let version = "1"

  fileprivate var text: String {
    let (kind, lines) =
      switch self {
      case .hosted(let server): ("server", server.lines)
      case .tunnel(let tunnel): ("tunnel", tunnel.lines)
      }
    return
      (["# Written by dragboard-link.", "version \(Self.version)", "kind \(kind)"] + lines)
      .map { $0 + "\n" }.joined()
  }

  fileprivate init(text: String) throws(ConfigurationLines.Problem) {
    var settings = ConfigurationLines(text)
    let version = try settings.take("version")
    guard version == Self.version else {
      throw ConfigurationLines.Problem(
        "version", "\"\(version)\" is not supported (expected \(Self.version))")
    }
    switch try settings.take("kind") {
    case "server": self = .hosted(try HostedServer(&settings))
    case "tunnel": self = .tunnel(try Tunnel(&settings))
    case let kind: throw ConfigurationLines.Problem("kind", "\"\(kind)\" is unknown")
    }
    try settings.finish()
  }
}

extension ConfigurationStore {
  /// The path of the file with the route.
  private var routePath: String { directory + "/route" }

  /// The directory of the server that this machine runs.
  public var serverDirectory: String { stateDirectory + "/server" }

  /// Reads the route; nil if an administrator runs the server, or if this machine is in no group.
  public func loadRoute() throws -> ServerRoute? {
    guard access(routePath, F_OK) == 0 else { return nil }
    let text = try text(ofSecret: routePath)
    do { return try ServerRoute(text: text) } catch {
      throw LinkConfiguration.Problem(routePath, error.description)
    }
  }

  /// Reads the settings of the server that this machine runs for its group; nil if it runs none, or if
  /// another machine has become the host.
  public func loadServer() throws -> HostedServer? {
    guard case .hosted(let server)? = try loadRoute(), server.phase == .active else { return nil }
    return server
  }

  /// Changes the route, or removes it.
  ///
  /// Programs that change it at the same time wait for each other.
  @discardableResult
  public func updateRoute<Result>(
    _ body: (inout ServerRoute?) throws -> Result
  ) throws -> Result {
    try prepare()
    let lock = try FileDescriptor(
      opening: routePath + ".lock", O_RDWR | O_CREAT, mode: 0o600)
    while flock(lock.number, LOCK_EX) != 0, errno == EINTR {}
    defer { withExtendedLifetime(lock) {} }
    var route = try loadRoute()
    let old = route
    let result = try body(&route)
    guard route != old else { return result }
    if let route {
      try AtomicFile.write(Array(route.text.utf8), to: routePath)
    } else {
      guard unlink(routePath) == 0 || errno == ENOENT else { throw FileError(path: routePath) }
    }
    return result
  }

  /// Changes the settings of the server that this machine runs; does nothing if it runs none.
  ///
  /// - Returns: whether the settings have changed.
  @discardableResult
  public func updateServer(_ body: (inout HostedServer) throws -> Void) throws -> Bool {
    try updateRoute { route in
      guard case .hosted(var server) = route else { return false }
      let old = server
      try body(&server)
      route = .hosted(server)
      return server != old
    }
  }
}
