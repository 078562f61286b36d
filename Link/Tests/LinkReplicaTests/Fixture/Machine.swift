import DragboardClient
import Foundation
import LinkModel
import LinkReplica

/// A machine: a bus, a daemon, and a link between the board `default` and a server.
///
/// All its processes end when the last reference is released.
final class Machine: @unchecked Sendable {
  let connection: DragboardConnection
  let board: Board
  let server: MemoryServer
  private let home: URL
  private let environment: [String: String]
  private let bus: Program
  private var daemon: Program
  private var link: Task<Void, Never>?
  private(set) var loop: ReplicaLoop?

  /// Starts a machine without its link; `startLink` starts the link.
  init(_ server: MemoryServer) async throws {
    self.server = server
    home = FileManager.default.temporaryDirectory.appending(path: "link-\(UUID().uuidString)")
    var environment = try Self.environment(in: home)
    bus = try Program(["dbus-daemon", "--session", "--nofork", "--print-address"], environment)
    let address = bus.nextLine()
    environment["DBUS_SESSION_BUS_ADDRESS"] = address
    self.environment = environment
    daemon = try Self.startDaemon(environment)
    connection = try await .connect(to: address)
    board = try await connection.board(named: "default")
  }

  deinit {
    link?.cancel()
    daemon.kill()
    bus.kill()
    try? FileManager.default.removeItem(at: home)
  }

  private static func environment(in home: URL) throws -> [String: String] {
    var environment = ProcessInfo.processInfo.environment.filter {
      !$0.key.hasPrefix("DRAGBOARD_") && !$0.key.hasPrefix("DBUS_")
    }
    for (variable, folder) in [
      "XDG_DATA_HOME": "data", "XDG_CONFIG_HOME": "config", "XDG_RUNTIME_DIR": "run",
      "XDG_CACHE_HOME": "cache",
    ] {
      let folder = home.appending(path: folder)
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      environment[variable] = folder.path
    }
    environment["HOME"] = home.path
    let products =
      environment["LINK_TEST_PRODUCTS"]
      ?? URL(filePath: #filePath).appending(path: "../../../../../.build/debug").standardized.path
    environment["PATH"] = "\(products):\(environment["PATH"] ?? "/usr/bin:/bin")"
    return environment
  }

  private static func startDaemon(_ environment: [String: String]) throws -> Program {
    let daemon = try Program(["dragboardd"], environment)
    try Program.run(
      ["gdbus", "wait", "--session", "--timeout", "30", "org.dragboard.Dragboard1"], environment)
    return daemon
  }

  // MARK: The daemon

  func killDaemon() { daemon.kill() }
  func startDaemon() throws { daemon = try Self.startDaemon(environment) }

  // MARK: The link

  /// Starts the link from its stored replica.
  func startLink(confirmationDelay: Duration = Replicator.confirmationDelay) throws {
    let loop = ReplicaLoop(
      board, directory: try ReplicaDirectory(home.appending(path: "link").path), log: server,
      store: server, delays: .milliseconds(10)...(.milliseconds(100)),
      confirmationDelay: confirmationDelay)
    self.loop = loop
    link = Task { await loop.run() }
  }

  /// Ends the link.
  func stopLink() async {
    link?.cancel()
    await link?.value
    (link, loop) = (nil, nil)
  }

  /// The contents in the spool of the link.
  var keptContents: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(
        atPath: home.appending(path: "link/contents").path)
    }
  }

  /// Returns the texts of the rows, by section.
  func texts() async throws -> [String: [String]] {
    var texts: [String: [String]] = [:]
    for (index, section) in try await board.snapshot().sections.enumerated() {
      texts[section.name] =
        section.items.isEmpty ? [] : try await board.texts(ofSection: index, count: 10_000)
    }
    return texts
  }

  /// Inserts rows of text into the first section.
  @discardableResult
  func insert(_ texts: String..., at row: Int? = nil) async throws -> [ItemID] {
    try await board.insert(texts, at: row)
  }

  /// Returns the row with a text, and its position.
  func row(_ text: String) async throws -> (row: Row, position: RowPosition) {
    for section in try await board.info().sections.indices {
      let rows = try await board.page(ofSection: section, count: 10_000).rows
      if let index = rows.firstIndex(where: { $0.preview == text }) {
        return (rows[index], RowPosition(section: section, row: index))
      }
    }
    throw Program.Failure(description: "no row \(text)")
  }
}

/// Waits until a condition is true; fails the test after the deadline.
func until(
  line: Int = #line, _ seconds: Int = 30, _ condition: () async throws -> Bool
) async throws {
  let end = ContinuousClock.now + .seconds(seconds)
  while try await !condition() {
    guard ContinuousClock.now < end else {
      throw Program.Failure(description: "the condition of line \(line) does not hold")
    }
    try await Task.sleep(for: .milliseconds(10))
  }
}

/// Waits until the log has all edits and all machines have applied all entries.
func untilQuiet(_ machines: [Machine], line: Int = #line, _ seconds: Int = 30) async throws {
  try await until(line: line, seconds) {
    let last = UInt64(await machines[0].server.entries.count)
    for machine in machines {
      guard let status = await machine.loop?.status, status.isSynced, status.pending == 0,
        status.position == last, status.revision == (try? await machine.board.info().revision)
      else { return false }
    }
    return true
  }
}
