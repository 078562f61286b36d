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

/// A log in memory that loses calls and answers.
actor MemoryLog: EditLog {
  private(set) var entries: [LogEntry] = []
  private let chance: Chance

  init(_ chance: Chance) { self.chance = chance }

  func append(_ batch: [UInt8], after last: UInt64) async throws -> UInt64? {
    try await chance.fail(5)
    guard entries.count == Int(last) else { return nil }
    entries.append(LogEntry(number: last + 1, batch: batch))
    try await chance.fail(5)
    return last + 1
  }

  func lastNumber() -> UInt64 { UInt64(entries.count) }

  func read(after last: UInt64) -> [LogEntry] { Array(entries.dropFirst(Int(last))) }

  nonisolated func entries(after last: UInt64) -> AsyncThrowingStream<LogEntry, any Error> {
    AsyncThrowingStream { stream in
      Task {
        for entry in await read(after: last) { stream.yield(entry) }
        stream.finish()
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
