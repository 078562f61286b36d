public import LinkModel
public import LinkState
internal import SQLite

/// The hash of every entry of a log that this machine has verified, and the latest entries.
///
/// With the hashes, the machine detects if the server returns a different entry than before, or if
/// the log ends earlier than before. With the entries, it restores the log: a server acknowledges an
/// entry up to two minutes before it syncs the entry to its disk, and a power cut in between loses
/// the entry. All programs of the user share the trail.
public final class Trail: Sendable {
  /// The maximum number of bytes of the entries.
  private static let maxTailBytes: Int64 = 64 << 20

  private let state: StateDatabase
  /// The number of the log in the tables.
  private let log: Int64
  private let start: ChainHead

  /// Opens the trail of a log, or creates it.
  public init(of log: LogID, in state: StateDatabase) throws {
    self.state = state
    self.log = try state.number(ofLog: "\(log)")
    start = EntryChain.start(of: log)
  }

  /// Returns the position of the last verified entry.
  func head() throws -> ChainHead { try state.read { try head($0) } }

  /// Returns the position of the entry with a number; nil if this machine has not verified the
  /// entry.
  func head(at number: UInt64) throws -> ChainHead? {
    try state.read { try head(at: number, $0) }
  }

  /// Returns verified entries; nil if this machine no longer has all of them.
  func entries(_ numbers: ClosedRange<UInt64>) throws -> [[UInt8]]? {
    try state.read { connection in
      var entries: [[UInt8]] = []
      for number in numbers {
        guard let before = try head(at: number - 1, connection),
          let head = try head(at: number, connection)
        else { return nil }
        // A trail that was shortened can have several entries with the number.
        var entry: [UInt8]?
        try connection.forEach(
          "SELECT bytes FROM sealed WHERE log = ? AND number = ?", log, Int64(number)
        ) { row in
          let bytes = Array(row.bytes(0))
          if EntryChain.leads(bytes, from: before, to: head) { entry = bytes }
        }
        guard let entry else { return nil }
        entries.append(entry)
      }
      return entries
    }
  }

  /// Records a verified entry and its sealed bytes.
  ///
  /// `successor` is the log that the entry names as the successor of this log.
  ///
  /// - Throws: `LinkError.replacedEntry` if the trail has a different entry with this number.
  func append(_ head: ChainHead, _ entry: [UInt8], successor: LogID? = nil) throws {
    // The replica that applies the entry makes the record durable.
    try state.write(isDurable: false) { connection in
      let last = try self.head(connection)
      guard head.number > last.number else {
        guard try self.head(at: head.number, connection) == head else {
          throw LinkError.replacedEntry(head.number)
        }
        return
      }
      guard head.number == last.number + 1 else { throw LinkError.unreadEntry(last.number + 1) }
      try connection.run(
        "INSERT INTO entry VALUES (?, ?, ?, ?, ?)", log, Int64(head.number), head.hash,
        Int64(head.epoch), head.requiresSeal)
      try connection.run(
        "INSERT INTO sealed (log, number, bytes) VALUES (?, ?, ?)", log, Int64(head.number), entry)
      try connection.run("UPDATE log SET tail = tail + ? WHERE id = ?", Int64(entry.count), log)
      if let successor {
        try connection.run("UPDATE log SET successor = ? WHERE id = ?", "\(successor)", log)
      }
      try shortenTail(connection)
    }
  }

  private func shortenTail(_ connection: StateConnection) throws {
    while true {
      let size = try connection.first("SELECT tail FROM log WHERE id = ?", log) { $0.integer(0) }
      guard let size, size > Self.maxTailBytes else { return }
      let sql = "SELECT id, length(bytes) FROM sealed WHERE log = ? ORDER BY number LIMIT 1"
      let first = try connection.first(sql, log) { ($0.integer(0), $0.integer(1)) }
      guard let (id, count) = first else { return }
      try connection.run("DELETE FROM sealed WHERE id = ?", id)
      try connection.run("UPDATE log SET tail = tail - ? WHERE id = ?", count, log)
    }
  }

  /// Makes the records durable.
  func sync() throws { try state.sync() }

  private func head(_ connection: StateConnection) throws -> ChainHead {
    let sql =
      "SELECT number, hash, epoch, seal FROM entry WHERE log = ? ORDER BY number DESC LIMIT 1"
    return try connection.first(sql, log) { ChainHead($0) } ?? start
  }

  private func head(at number: UInt64, _ connection: StateConnection) throws -> ChainHead? {
    guard number > 0 else { return start }
    guard let number = Int64(exactly: number) else { return nil }
    let sql = "SELECT number, hash, epoch, seal FROM entry WHERE log = ? AND number = ?"
    return try connection.first(sql, log, number) { ChainHead($0) }
  }
}

extension ChainHead {
  fileprivate init(_ row: ResultRow) {
    self.init(
      number: UInt64(row.integer(0)), hash: Array(row.bytes(1)), epoch: UInt32(row.integer(2)),
      requiresSeal: row.integer(3) != 0)
  }
}
