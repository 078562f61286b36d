import BoardModel
import DragboardClient
import Foundation
import LinkEngine
import Testing

@testable import LinkModel

@Suite(
  "Three machines and a cluster of three servers", .serialized,
  .enabled(if: TestNetwork.isAvailable, "this machine does not allow network namespaces"))
struct ClusterTests {
  /// The number of edits of each machine: 300, or the value of `DRAGBOARD_TEST_CLUSTER_EDITS`.
  static let count =
    ProcessInfo.processInfo.environment["DRAGBOARD_TEST_CLUSTER_EDITS"].flatMap(Int.init) ?? 300

  /// A machine, its server, and its user.
  struct Site {
    let name: String
    let server: TestServer
    let machine: CommandMachine
    let editor: Editor
  }

  @Test(
    "No acknowledged edit is lost while connections are cut, and programs and servers are killed")
  func faults() async throws {
    let network = try TestNetwork(hostCount: 6)
    let servers = try await TestServer.cluster(on: Array(network.hosts.suffix(3)))
    let sites = try await sites(servers, on: network)
    for site in sites { try site.machine.startService() }
    try await withThrowingTaskGroup(of: Void.self) { tasks in
      let faults = Task {
        while !Task.isCancelled { try await Self.fault(sites, network) }
      }
      for site in sites { tasks.addTask { try await site.editor.edit(Self.count) } }
      do { try await tasks.waitForAll() } catch {
        faults.cancel()
        throw error
      }
      faults.cancel()
      do { try await faults.value } catch is CancellationError {}
    }
    try await eventually("the boards are quiet", seconds: 120 + Self.count / 20) {
      try await Self.areQuiet(sites)
    }
    try await check(sites)
  }

  private func sites(_ servers: [TestServer], on network: TestNetwork) async throws -> [Site] {
    var (sites, line): ([Site], String) = ([], "")
    for (number, server) in servers.enumerated() {
      let (name, machine) = ("m\(number)", try CommandMachine(on: network.hosts[number]))
      let url = try server.address().url
      let connection = try await machine.connect()
      if sites.isEmpty {
        _ = try await connection.createBoard(named: "shared")
        try await eventually("the cluster has a leader") {
          try machine.run("dragboard-link", "setup", url, "--name", name).status == 0
        }
        try #require(try machine.run("dragboard-link", "share", "shared").status == 0)
        line = try machine.run("dragboard-link", "invite").text
      } else {
        _ = try await connection.createBoard(named: "shared")
        try #require(
          try machine.run("dragboard-link", "join", "-", "--name", name, input: line).status == 0)
        try #require(try machine.run("dragboard-link", "accept", "shared").status == 0)
        // Each machine has a server of its own.
        try machine.useServer(url)
      }
      let editor = try await Editor(name, on: connection)
      sites.append(Site(name: name, server: server, machine: machine, editor: editor))
    }
    return sites
  }

  /// Makes one fault, and ends it after a while.
  private static func fault(_ sites: [Site], _ network: TestNetwork) async throws {
    func wait(_ range: ClosedRange<Int>) async {
      try? await Task.sleep(for: .milliseconds(Int.random(in: range)))
    }
    let site = sites[Int.random(in: 0..<3)]
    // The first three hosts are machines, the others are servers.
    let host = network.hosts.indices.randomElement() ?? 0
    await wait(50...400)
    switch Int.random(in: 0..<8) {
    case 0, 1:
      try network.setCable(false, of: host)
      await wait(50...3_000)
      try network.setCable(true, of: host)
    case 2:
      try network.setPort(false, of: host)
      await wait(50...3_000)
      try network.setPort(true, of: host)
    case 3:
      site.server.pause(true)
      await wait(50...3_000)
      site.server.pause(false)
    case 4:
      site.server.stop()
      await wait(50...2_000)
      try await site.server.start()
    case 5, 6:
      site.machine.endService()
      await wait(0...1_000)
      try site.machine.startService()
    default: try site.machine.restartDaemon()
    }
  }

  /// Whether all machines have sent their edits and show the same rows.
  private static func areQuiet(_ sites: [Site]) async throws -> Bool {
    var positions: Set<Int> = []
    for site in sites {
      let status = try site.machine.boardStatus()
      guard status.pending == 0, let entries = status.entries, status.read == entries else {
        return false
      }
      positions.insert(entries)
    }
    guard positions.count == 1 else { return false }
    let rows = try await sites[0].editor.rows()
    for site in sites.dropFirst() where try await site.editor.rows() != rows { return false }
    return true
  }

  private func check(_ sites: [Site]) async throws {
    let log = try await Self.log(of: sites[0])
    let rows = try await sites[0].editor.rows()
    #expect(rows == log.rows, "the boards are the result of the log")
    let present = rows.map(Editor.row(of:))
    #expect(Set(present).count == present.count, "a row is there twice")
    var (inserted, maybeInserted): (Set<String>, Set<String>) = ([], [])
    var (deleted, maybeDeleted): (Set<String>, Set<String>) = ([], [])
    for site in sites {
      inserted.formUnion(await site.editor.inserted)
      maybeInserted.formUnion(await site.editor.maybeInserted)
      deleted.formUnion(await site.editor.deleted)
      maybeDeleted.formUnion(await site.editor.maybeDeleted)
    }
    #expect(inserted.subtracting(maybeDeleted).subtracting(present) == [], "rows are lost")
    #expect(deleted.intersection(present) == [], "deleted rows are there")
    #expect(Set(present).subtracting(maybeInserted) == [], "rows come from nowhere")
    for site in sites where log.isWhole {
      let texts = await site.editor.texts.filter { !maybeDeleted.contains($0.key) }
      #expect(Set(texts.values).subtracting(log.texts) == [], "texts are lost")
    }
    var reported = 0
    for site in sites {
      reported += try site.machine.boardStatus().dropped ?? 0
    }
    if log.isWhole {
      // A machine that was offline while a log was replaced does not report edits before.
      #expect(
        log.count == 1 ? reported == log.droppedCount : reported <= log.droppedCount,
        "each dropped edit is reported")
    }
    print(
      "\(log.editCount) edits in \(log.count) logs, \(present.count) rows, \(reported) edits dropped"
    )
  }

  /// Connects as soon as the relay is ready.
  private static func connect(to address: ServerAddress) async throws -> NATSConnection {
    let connection = try NATSConnection(to: address)
    try await eventually("the relay is ready") { connection.isConnected }
    return connection
  }

  /// The result of the logs of the board.
  private struct LogResult {
    var (count, editCount, droppedCount) = (0, 0, 0)
    /// Whether the server still has all logs.
    var isWhole = true
    var rows: [String] = []
    var texts: Set<String> = []
    var board = SharedBoard()
    var batches: [MachineKey: UInt64] = [:]
  }

  private static func log(of site: Site) async throws -> LogResult {
    let store = site.machine.store
    let configuration = try #require(try store.load())
    let relay = try TestRelay(to: site.server)
    defer { withExtendedLifetime(relay) {} }
    let address = try ServerAddress(url: "nats://127.0.0.1:\(relay.port)")
    let connection = try await connect(to: address)
    let group = try Group(configuration, in: store, on: connection)
    try await group.update()
    let board = try #require(await group.state.boards.keys.first)
    let logs = await group.logs(of: board)
    var (result, id): (LogResult, LogID?) = (LogResult(), nil)
    while true {
      do {
        guard let next = try await read(logs.log(id), to: &result) else { return result }
        id = next
      } catch let error as LogReplaced {
        guard let latest = try await logs.latest(after: id) else { throw error }
        (id, result.isWhole) = (latest, false)
      }
    }
  }

  /// Adds a log to a result, and returns the log that replaces it.
  private static func read(_ log: any EditLog, to result: inout LogResult) async throws -> LogID? {
    let last = try await log.lastNumber()
    var (fold, successor): (LogFold, LogID?) = (LogFold(), nil)
    for try await entry in log.entries(after: 0) {
      try fold.apply(entry)
      successor = LogRecord.successor(in: entry.batch)
      if let batch = try? EditBatch(bytes: entry.batch),
        batch.number > result.batches[batch.machine] ?? 0
      {
        result.batches[batch.machine] = batch.number
        for edit in batch.edits {
          result.editCount += 1
          result.texts.formUnion(texts(of: edit))
          if result.board.apply(edit) != nil { result.droppedCount += 1 }
        }
      }
      if entry.number >= last { break }
    }
    result.count += 1
    result.rows = fold.board.keys(inSection: 0).compactMap { key in
      fold.board[key].map { row in
        "\(text(of: row.representations)) \(row.flags.contains(.isPinned)) \(row.name)"
      }
    }
    return successor
  }

  private static func texts(of edit: SharedEdit) -> [String] {
    switch edit {
    case .insert(_, let row, _): [text(of: row.representations)]
    case .setContents(_, let contents): [text(of: contents)]
    default: []
    }
  }

  private static func text(of contents: [SharedRow.Representation]) -> String {
    guard case .inline(let bytes) = contents.first?.content else { return "" }
    return String(decoding: bytes, as: UTF8.self)
  }
}
