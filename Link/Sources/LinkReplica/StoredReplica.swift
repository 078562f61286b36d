public import LinkModel
public import LinkState
internal import SQLite

/// The replica of a board in the database of the link.
///
/// The database has a replica, and the events since then.
public struct StoredReplica: Sendable {
  let state: StateDatabase
  /// The number of the log in the tables.
  let log: Int64

  /// Opens the replica of a log, or creates it.
  public init(of log: String, in state: StateDatabase) throws {
    self.state = state
    self.log = try state.number(ofLog: log)
  }

  /// Gives all replicas of a database new keys, because the database was copied.
  public static func renewAll(in state: StateDatabase) throws {
    try state.write { connection in
      var logs: [Int64] = []
      try connection.forEach("SELECT log FROM replica") { logs.append($0.integer(0)) }
      var generator = SystemRandomNumberGenerator()
      for log in logs {
        let event = ReplicaEvent.renewed(.random(using: &generator))
        try connection.run("INSERT INTO event (log, bytes) VALUES (?, ?)", log, event.bytes)
      }
    }
  }

  /// Reads the replica, or creates one with a new key.
  public func load() throws -> (replica: Replica, journal: StoredJournal) {
    let (bytes, events) = try state.read { connection in
      var events: [[UInt8]] = []
      try connection.forEach("SELECT bytes FROM event WHERE log = ? ORDER BY id", log) {
        events.append(Array($0.bytes(0)))
      }
      let sql = "SELECT bytes FROM replica WHERE log = ?"
      return (try connection.first(sql, log) { Array($0.bytes(0)) }, events)
    }
    guard let bytes else {
      var generator = SystemRandomNumberGenerator()
      let replica = Replica(machine: .random(using: &generator))
      _ = try state.write { try store(replica, $0) }
      return try load()
    }
    var replica = try Replica(bytes: bytes)
    // A decoded event takes several times the memory, so there is only one at a time.
    var damage: (any Error)?
    replica.apply(
      sequence(state: events.makeIterator()) { rest in
        do { return try rest.next().map { try ReplicaEvent(bytes: $0) } } catch {
          damage = error
          return nil
        }
      })
    if let damage { throw damage }
    let count = events.reduce(0) { $0 + $1.count }
    return (replica, StoredJournal(self, byteCount: count, replicaByteCount: bytes.count))
  }

  /// Replaces the stored replica and its events.
  ///
  /// - Returns: the number of bytes of the replica; nil if `isSettled` of the replica is false.
  func store(_ replica: Replica, _ connection: StateConnection) throws -> Int? {
    guard let bytes = replica.bytes else { return nil }
    try connection.run("INSERT OR REPLACE INTO replica VALUES (?, ?)", log, bytes)
    try connection.run("DELETE FROM event WHERE log = ?", log)
    return bytes.count
  }
}

/// The journal of a replica in the database of the link.
public actor StoredJournal: ReplicaJournal {
  /// The number of bytes up to which a journal is not compacted.
  private static let minLongBytes = 1 << 20

  private let stored: StoredReplica
  private var byteCount: Int
  private var replicaByteCount: Int

  fileprivate init(_ stored: StoredReplica, byteCount: Int, replicaByteCount: Int) {
    self.stored = stored
    (self.byteCount, self.replicaByteCount) = (byteCount, replicaByteCount)
  }

  /// Appends events durably.
  public func append(_ events: [ReplicaEvent]) throws -> Bool {
    let records = events.map(\.bytes)
    try stored.state.write { connection in
      for record in records {
        try connection.run("INSERT INTO event (log, bytes) VALUES (?, ?)", stored.log, record)
      }
      for case .moved(let move) in events {
        try connection.run(
          "UPDATE log SET successor = ? WHERE id = ?", "\(move.log)", stored.log)
      }
    }
    for record in records { byteCount += record.count }
    return byteCount > max(Self.minLongBytes, replicaByteCount)
  }

  /// Replaces all events by a replica.
  ///
  /// Does nothing if `isSettled` of the replica is false.
  public func compact(to replica: Replica) throws {
    guard let count = try stored.state.write({ try stored.store(replica, $0) }) else { return }
    (byteCount, replicaByteCount) = (0, count)
  }
}
