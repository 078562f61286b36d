import DragboardClient
import Foundation
import LinkModel
import LinkReplica
import LinkState
import TestSupport

/// A machine: a bus, a daemon, and a link between the board `default` and a server.
///
/// All its processes end when the last reference is released.
final class Machine: @unchecked Sendable {
  let connection: DragboardConnection
  let board: Board
  let server: MemoryServer
  private let bus: PrivateBus
  private var daemon: TestProgram
  private var link: Task<Void, Never>?
  private(set) var loop: ReplicaLoop?
  /// The database of the running link.
  private(set) var state: StateDatabase?

  /// Starts a machine without its link; `startLink` starts the link.
  init(_ server: MemoryServer) async throws {
    self.server = server
    bus = try PrivateBus(changing: ["PATH": Self.path])
    daemon = try TestProgram.daemon(bus.environment)
    connection = try await .connect(to: bus.address)
    board = try await connection.board(named: "default")
  }

  deinit {
    link?.cancel()
    daemon.kill()
    bus.stop()
  }

  private static var path: String {
    let environment = ProcessInfo.processInfo.environment
    let products =
      environment["DRAGBOARD_TEST_PRODUCTS"]
      ?? URL(filePath: #filePath).appending(path: "../../../../../.build/debug").standardized.path
    return "\(products):\(environment["PATH"] ?? "/usr/bin:/bin")"
  }

  /// A new directory of the machine, which ends with the machine.
  func makeDirectory(_ name: String) throws -> String {
    let path = bus.home.appending(path: name).path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    return path
  }

  // MARK: The daemon

  func killDaemon() { daemon.kill() }
  func startDaemon() throws { daemon = try TestProgram.daemon(bus.environment) }

  /// The directory with the data of the daemon.
  private var data: URL { bus.home.appending(path: "data") }

  /// Copies the data of the daemon, and starts the daemon again.
  func backUpDaemon() throws -> URL {
    let copy = bus.home.appending(path: "backup")
    killDaemon()
    try FileManager.default.copyItem(at: data, to: copy)
    try startDaemon()
    return copy
  }

  /// Starts the daemon with an earlier copy of its data.
  func restoreDaemon(_ copy: URL) throws {
    killDaemon()
    try FileManager.default.removeItem(at: data)
    try FileManager.default.copyItem(at: copy, to: data)
    try startDaemon()
  }

  // MARK: The link

  /// The id of the log in the database of the link.
  static let log = "0123456789abcdef0123456789abcdef"
  /// The directory of the database of the link.
  var stateFolder: String { bus.home.appending(path: "link").path }

  /// Starts the link from its stored replica.
  func startLink(
    delays: ClosedRange<Duration> = .milliseconds(10)...(.milliseconds(100)),
    confirmationDelay: Duration = Replicator.confirmationDelay,
    files: FileSharing = FileSharing(machine: "laptop"),
    replacement: ReplacementRules = ReplacementRules()
  ) throws {
    try FileManager.default.createDirectory(atPath: stateFolder, withIntermediateDirectories: true)
    let state = try StateDatabase(in: stateFolder)
    self.state = state
    let loop = ReplicaLoop(
      board, stored: try StoredReplica(of: Self.log, in: state), logs: server, store: server,
      files: files,
      delays: delays, confirmationDelay: confirmationDelay,
      requestDelay: .zero, replacement: replacement)
    self.loop = loop
    link = Task { await loop.run() }
  }

  /// Ends the link.
  func stopLink() async {
    link?.cancel()
    await link?.value
    (link, loop, state) = (nil, nil, nil)
  }

  /// The contents in the spool of the link.
  var keptContents: [String] {
    get throws {
      try FileManager.default.contentsOfDirectory(atPath: "\(stateFolder)/contents/1")
    }
  }

  /// Returns the texts of the rows, by section.
  func texts() async throws -> [String: [String]] {
    var texts: [String: [String]] = [:]
    for (index, section) in try await board.snapshot().sections.enumerated() {
      var read: [String] = []
      // A reply has at most 10,000 texts.
      while read.count < section.items.count {
        read += try await board.texts(ofSection: index, from: read.count, count: 10_000)
      }
      texts[section.name] = read
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
    throw TestProgram.Failure(description: "no row \(text)")
  }
}

/// Waits until a condition is true; fails the test after the deadline.
func until(
  line: Int = #line, _ seconds: Int = 30, _ condition: () async throws -> Bool
) async throws {
  let end = ContinuousClock.now + .seconds(seconds)
  while try await !condition() {
    guard ContinuousClock.now < end else {
      throw TestProgram.Failure(description: "the condition of line \(line) does not hold")
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
