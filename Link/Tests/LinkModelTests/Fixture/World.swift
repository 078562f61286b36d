import Files
import LinkModel
import TestSupport

/// An error that a test injects.
struct Fault: Error {}

/// The random numbers of a test, and the faults that it injects.
actor Chance {
  private var generator: SplitMix64
  private var isOn = true

  init(seed: UInt64) { generator = SplitMix64(seed: seed) }

  func stopFaults() { isOn = false }

  func happens(_ percent: Int) -> Bool { isOn && generator.happens(percent) }

  func fail(_ percent: Int) throws { if happens(percent) { throw Fault() } }
}

/// The logs of a board in memory, which lose calls and answers.
actor MemoryLog: BoardLogs {
  let board = LogID(7, 7)
  private var logs: [LogID: [LogEntry]] = [LogID(7, 7): []]
  /// The logs that the server no longer has.
  private var removed: Set<LogID> = []
  private let chance: Chance

  init(_ chance: Chance) { self.chance = chance }

  /// The entries of the first log.
  var entries: [LogEntry] { logs[board] ?? [] }

  /// Loses the last entry of the first log, as a power cut can.
  func loseLast() { logs[board]?.removeLast() }

  /// Whether the first log refuses the next entry, and cancels the task that appends it.
  private var cancelsNext = false

  /// Refuses the next entry of the first log, and cancels the task that appends it.
  func cancelNext() { cancelsNext = true }

  /// The number of replacements of a log.
  var replacements: Int { chain.count - 1 }

  /// The ids of the logs that the server has.
  var present: Set<LogID> { Set(logs.keys).subtracting(removed) }

  /// The logs, each the successor of the log before it, whether the server still has them or not.
  private var chain: [[LogEntry]] {
    var (chain, next): ([[LogEntry]], LogID?) = ([], board)
    while let id = next {
      let entries = logs[id] ?? []
      chain.append(entries)
      next = entries.lazy.compactMap { LogRecord.successor(in: $0.batch) }.first
    }
    return chain
  }

  /// All batches of edits since the board was shared.
  var batches: [EditBatch] {
    chain.flatMap { $0 }.compactMap { try? EditBatch(bytes: $0.batch) }
  }

  nonisolated func log(_ id: LogID?) -> any EditLog { Log(owner: self, id: id ?? board) }
  nonisolated func makeLog(_ id: LogID) -> any EditLog { Log(owner: self, id: id, isNew: true) }

  func byteCount(of id: LogID?) throws -> Int { try read(of: id).count * 1_000 }

  func latest(after id: LogID?) async throws -> LogID? {
    try await chance.fail(5)
    let (id, board) = (id ?? board, board)
    func generation(_ id: LogID) -> UInt64 { id.generation(in: board) ?? 0 }
    let used = present.filter { log in
      log.generation(in: board) ?? 0 > generation(id)
        && logs[log]?.contains { LogRecord.isBatch($0.batch) } ?? false
    }
    return used.max { generation($0) < generation($1) }
  }

  func remove(_ id: LogID) async throws {
    try await chance.fail(20)
    removed.insert(id)
    try await chance.fail(20)
  }

  func removeLogs(before id: LogID) async throws {
    for log in present.sorted() where log != id {
      guard let one = log.generation(in: board), let other = id.generation(in: board),
        one <= other
      else { continue }
      try await remove(log)
    }
  }

  // MARK: A log

  fileprivate func append(_ batch: [UInt8], to id: LogID, after last: UInt64, isNew: Bool)
    async throws -> UInt64?
  {
    try await chance.fail(5)
    if isNew, logs[id] == nil { logs[id] = [] }
    guard !removed.contains(id), let entries = logs[id] else { throw LogReplaced() }
    if id == board, cancelsNext {
      cancelsNext = false
      withUnsafeCurrentTask { $0?.cancel() }
      return nil
    }
    guard entries.count == Int(last) else { return nil }
    logs[id]?.append(LogEntry(number: last + 1, batch: batch))
    try await chance.fail(5)
    return last + 1
  }

  func read(after last: UInt64 = 0, of id: LogID? = nil) throws -> [LogEntry] {
    guard let entries = logs[id ?? board], !removed.contains(id ?? board) else {
      throw LogReplaced()
    }
    return Array(entries.dropFirst(Int(last)))
  }

  private struct Log: EditLog {
    let owner: MemoryLog
    let id: LogID
    var isNew = false

    func append(_ batch: [UInt8], after last: UInt64) async throws -> UInt64? {
      try await owner.append(batch, to: id, after: last, isNew: isNew)
    }

    func lastNumber() async throws -> UInt64 { UInt64(try await owner.read(of: id).count) }

    func entries(after last: UInt64) -> AsyncThrowingStream<LogEntry, any Error> {
      AsyncThrowingStream { stream in
        Task {
          do {
            for entry in try await owner.read(after: last, of: id) { stream.yield(entry) }
            stream.finish()
          } catch { stream.finish(throwing: error) }
        }
      }
    }
  }
}

/// Contents in memory.
actor MemoryContents: ContentStore, ContentSpool {
  private var contents: [ContentHash: ContentBytes] = [:]
  /// The contents that the server has lost.
  private var lost: [ContentHash: ContentBytes] = [:]
  /// Whether the disk has no space.
  private var isFull = false

  func setFull(_ isFull: Bool) { self.isFull = isFull }

  /// Loses all contents.
  func lose() {
    lost.merge(contents) { $1 }
    contents = [:]
  }

  /// Finds the lost contents again.
  func find() { contents.merge(lost) { $1 } }

  func put(_ hash: ContentHash, _ content: ContentBytes) throws {
    if isFull { throw Fault() }
    contents[hash] = content
  }
  func get(_ hash: ContentHash) -> ContentBytes? { contents[hash] }
  func get(
    _ hash: ContentHash, byteCount: Int, makeFile: @Sendable () async throws -> FileDescriptor
  ) -> ContentBytes? { contents[hash] }
  func remove(_ hash: ContentHash) { contents[hash] = nil }

  nonisolated func makeFile() throws -> FileDescriptor { try MemoryFile.empty() }
  nonisolated func makeUnnamedFile() throws -> FileDescriptor { try MemoryFile.empty() }
  func renew(_ hash: ContentHash) {}
  func contains(_ hash: ContentHash) -> Bool { contents[hash] != nil }
  func remove(_ hash: ContentHash, olderThan age: Duration) { contents[hash] = nil }
  func contents(olderThan age: Duration) throws -> [ContentHash: Int] {
    try contents.mapValues { try $0.byteCount }
  }
  var isEmpty: Bool { contents.isEmpty }
}

/// A journal in memory that encodes and decodes its events as the journal on the disk does.
actor MemoryJournal: ReplicaJournal {
  private var snapshot: [UInt8]
  private var events: [[UInt8]] = []
  private let chance: Chance
  /// Whether the disk has no space.
  private var isFull = false

  func setFull(_ isFull: Bool) { self.isFull = isFull }

  init(_ chance: Chance, machine: MachineKey) {
    self.chance = chance
    snapshot = Replica(machine: machine).bytes ?? []
  }

  func append(_ new: [ReplicaEvent]) async throws -> Bool {
    try await chance.fail(2)
    if isFull { throw Fault() }
    events += new.map(\.bytes)
    try await chance.fail(2)
    return events.count > 20
  }

  func compact(to replica: Replica) {
    guard let bytes = replica.bytes else { return }
    (snapshot, events) = (bytes, [])
  }

  func backup() -> (snapshot: [UInt8], events: [[UInt8]]) { (snapshot, events) }
  func restore(_ backup: (snapshot: [UInt8], events: [[UInt8]])) {
    (snapshot, events) = backup
  }

  func load() throws -> Replica {
    var replica = try Replica(bytes: snapshot)
    replica.apply(try events.map { try ReplicaEvent(bytes: $0) })
    return replica
  }
}
