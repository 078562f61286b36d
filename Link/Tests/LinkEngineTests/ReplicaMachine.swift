import BoardModel
import Files
import LinkReplica
import LinkState

@testable import LinkEngine
@testable import LinkModel

/// A machine that edits a shared board through its replica, without a daemon.
final class ReplicaMachine {
  let machine: TestMachine
  let logs: JetStreamBoardLogs
  private(set) var link: Replicator
  private var revision: UInt64 = 1

  init(_ server: TestServer, keys: GroupKeys, board: LogID, anchors: [LogID: ChainHead] = [:])
    async throws
  {
    machine = try TestMachine(server, keys: keys)
    logs = JetStreamBoardLogs(
      of: board, keys, on: machine.connection, in: machine.state, anchors: anchors,
      hasAllKeys: { true })
    link = try Self.start(machine, logs)
    try await link.record([.local(LocalEdits(revision: 1))])
  }

  private static func start(_ machine: TestMachine, _ logs: any BoardLogs) throws -> Replicator {
    let stored = try StoredReplica(of: "\(logs.board)", in: machine.state)
    let (replica, journal) = try stored.load()
    return try Replicator(
      replica, journal: journal, local: NoBoard(), spool: try StoredSpool(stored), logs: logs,
      store: NoContents(), time: { 0 })
  }

  /// Starts the link again from its stored replica.
  func restart(_ logs: (any BoardLogs)? = nil) throws {
    link = try Self.start(machine, logs ?? self.logs)
  }

  /// Makes an edit, as a client of the daemon does.
  func make(_ edits: SharedEdit...) async throws {
    revision += 1
    try await link.record([.local(LocalEdits(revision: revision, edits: edits))])
  }

  /// Inserts a row with a text at the end.
  @discardableResult
  func add(_ text: String) async throws -> RowKey {
    var generator = SystemRandomNumberGenerator()
    let key = RowKey.random(using: &generator)
    try await make(.insert(key, Self.row(text), at: .init(in: .first, after: key, before: nil)))
    return key
  }

  static func row(_ text: String) -> SharedRow {
    SharedRow(application: "", created: UInt64(text.utf8.count), representations: contents(text))
  }

  static func contents(_ text: String) -> [SharedRow.Representation] {
    [.init(type: "text/plain;charset=utf-8", content: .inline(Array(text.utf8)))]
  }

  /// Reads all entries of the latest log and appends the pending edits.
  func exchange() async throws {
    while true {
      let replica = await link.replica
      var isReplaced = false
      do {
        let log = try logs.log(replica.log)
        let last = try await log.lastNumber()
        if last > replica.position {
          for try await entry in log.entries(after: replica.position) {
            try await link.receive([entry])
            if entry.number >= last { break }
          }
        }
      } catch is LogReplaced { isReplaced = true }
      if try await link.move(isReplaced: isReplaced) { continue }
      guard try await link.publish() else { return }
    }
  }

  /// The texts of the rows.
  var texts: [String] {
    get async {
      let board = await link.replica.visible
      return board.keys(inSection: 0).map { key in
        guard case .inline(let bytes) = board[key]?.representations.first?.content else {
          return ""
        }
        return String(decoding: bytes, as: UTF8.self)
      }
    }
  }

  /// The number of bytes of all logs of the board on the server, and the number of logs.
  func stored() throws -> (byteCount: Int, logs: Int) {
    let names = try Stream.names(on: machine.connection)
    let counts = try names.map {
      try Stream(connection: machine.connection, name: $0).extent()?.byteCount ?? 0
    }
    return (counts.reduce(0, +), counts.count)
  }
}

extension [ReplicaMachine] {
  /// Exchanges edits until all machines have all of them, and returns the texts.
  @discardableResult
  func settle() async throws -> [[String]] {
    for _ in 0..<3 { for machine in self { try await machine.exchange() } }
    var texts: [[String]] = []
    for machine in self { texts.append(await machine.texts) }
    return texts
  }
}

/// The logs of a board, for a machine that is killed before or after one of its appends.
struct KilledLogs: BoardLogs {
  struct Kill: Error {}

  let logs: JetStreamBoardLogs
  /// The number of the append, and whether the machine is killed after it.
  let (append, isAfter): (Int, Bool)
  let counter = Counter()

  actor Counter {
    var count = 0
    func next() -> Int {
      count += 1
      return count
    }
  }

  struct Log: EditLog {
    let log: any EditLog
    let owner: KilledLogs

    func append(_ batch: [UInt8], after last: UInt64) async throws -> UInt64? {
      let isLast = await owner.counter.next() == owner.append
      if isLast, !owner.isAfter { throw Kill() }
      let number = try await log.append(batch, after: last)
      if isLast { throw Kill() }
      return number
    }

    func lastNumber() async throws -> UInt64 { try await log.lastNumber() }
    func entries(after last: UInt64) -> AsyncThrowingStream<LogEntry, any Error> {
      log.entries(after: last)
    }
  }

  var board: LogID { logs.board }
  func log(_ id: LogID?) throws -> any EditLog { Log(log: try logs.log(id), owner: self) }
  func makeLog(_ id: LogID) throws -> any EditLog { Log(log: try logs.makeLog(id), owner: self) }
  func byteCount(of id: LogID?) async throws -> Int { try await logs.byteCount(of: id) }
  func latest(after id: LogID?) async throws -> LogID? { try await logs.latest(after: id) }
  // A killed machine removes nothing.
  func remove(_ id: LogID) async throws {}
  func removeLogs(before id: LogID) async throws { try await logs.removeLogs(before: id) }
}

/// The error of calls that a test does not expect.
struct Unexpected: Error {}

private struct NoBoard: LocalBoard {
  func changes(since revision: UInt64, of history: String) throws -> LocalHistory {
    throw Unexpected()
  }
  func snapshot() throws -> LocalSnapshot { throw Unexpected() }
  func rows(
    at paths: [IndexPath: ItemKey], spool: any ContentSpool
  ) throws -> [ItemKey: SharedRow] { throw Unexpected() }
  func reserve(_ count: Int) throws -> [ItemKey] { throw Unexpected() }
  func apply(
    _ edits: [LocalEdit], contents: [ContentHash: ContentBytes], base: UInt64
  ) throws -> UInt64? { throw Unexpected() }
}

private struct NoContents: ContentStore {
  func put(_ hash: ContentHash, _ content: ContentBytes) throws { throw Unexpected() }
  func get(
    _ hash: ContentHash, byteCount: Int, makeFile: @Sendable () async throws -> FileDescriptor
  ) throws -> ContentBytes? { throw Unexpected() }
  func remove(_ hash: ContentHash) {}
}
