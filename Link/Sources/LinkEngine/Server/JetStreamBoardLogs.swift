public import LinkModel
internal import LinkState
internal import Synchronization
internal import Text

/// The logs of a shared board in streams of a NATS server.
///
/// The server is not trusted. An entry of the log before, or the rule for a log in use, decides whether a
/// stream is a log of the board.
public final class JetStreamBoardLogs: BoardLogs {
  /// The id of the board, and of its first log.
  public let board: LogID
  private let keys: GroupKeys
  private let connection: NATSConnection
  private let state: StateDatabase
  /// For each log, the last entry that the inviting machine had read.
  private let anchors: [LogID: ChainHead]
  private let hasAllKeys: @Sendable () async throws -> Bool
  private let opened = Mutex<[LogID: JetStreamLog]>([:])
  private let calls = BlockingCalls("logs")

  /// Creates the logs of a board, without a request to the server.
  init(
    of board: LogID, _ keys: GroupKeys, on connection: NATSConnection, in state: StateDatabase,
    anchors: [LogID: ChainHead] = [:],
    hasAllKeys: @escaping @Sendable () async throws -> Bool = { false }
  ) {
    (self.board, self.keys, self.connection, self.state) = (board, keys, connection, state)
    (self.anchors, self.hasAllKeys) = (anchors, hasAllKeys)
  }

  // MARK: Opening

  /// The number of entries that this machine has restored after the server had lost them.
  public var restoredCount: Int {
    opened.withLock { $0.values.reduce(0) { $0 + $1.restoredCount } }
  }

  /// The number of entries that were skipped because no machine of the group has written them.
  public var forgedCount: Int { opened.withLock { $0.values.reduce(0) { $0 + $1.forgedCount } } }

  /// Returns a log that exists; nil stands for the first log.
  public func log(_ id: LogID?) throws -> any EditLog { try open(id ?? board) }

  /// Returns a new log for the parts of a snapshot.
  public func makeLog(_ id: LogID) throws -> any EditLog { try makeLog(id, isMade: true) }

  func open(_ id: LogID) throws -> JetStreamLog {
    if let log = opened.withLock({ $0[id] }) { return log }
    let log = try makeLog(id, isMade: id == board)
    return opened.withLock { logs in
      if let log = logs[id] { return log }
      logs[id] = log
      return log
    }
  }

  private func makeLog(_ id: LogID, isMade: Bool) throws -> JetStreamLog {
    let place = JetStreamLog.Place(
      board: board, isMade: isMade, check: { [weak self] in try self?.checkLogs(before: id) },
      hasLater: { [weak self] in
        guard let self else { return false }
        return try logs().contains { self.generation($0) > self.generation(id) }
      })
    return JetStreamLog(
      id, of: keys, on: connection, trail: try Trail(of: id, in: state), anchor: anchors[id],
      place: place, hasAllKeys: hasAllKeys)
  }

  private func generation(_ id: LogID) -> UInt64 { id.generation(in: board) ?? 0 }

  /// The generation of the log that the inviting machine had read.
  private var minGeneration: UInt64 { anchors.keys.map(generation).max() ?? 0 }

  /// Restores the last entry of the log before a log, if the server has lost it.
  ///
  /// - Throws: `LinkError.replacedEntry` if the log before has another entry there, so that there are two
  ///   histories; `LogReplaced` if the inviting machine had read a later log.
  private func checkLogs(before id: LogID) throws {
    guard generation(id) >= minGeneration else { throw LogReplaced() }
    for name in try state.logs(before: "\(id)") {
      guard let log = LogID(digits: name), generation(log) < generation(id) else { continue }
      let earlier = try open(log)
      guard try earlier.head.number > 0 else { continue }
      do { _ = try earlier.requireLog() } catch is LogReplaced {}
    }
  }

  /// Returns the latest log that this machine knows.
  func latestKnown() throws -> LogID {
    var id = board
    while let next = try state.successor(ofLog: "\(id)").flatMap(LogID.init(digits:)),
      generation(next) > generation(id)
    { id = next }
    return id
  }

  /// Returns the latest log that has no successor, after reading its entries.
  ///
  /// - Throws: `LogReplaced` if no later log is in use yet.
  func current() async throws -> JetStreamLog {
    while true {
      let id = try latestKnown()
      let log = try open(id)
      do { try await log.catchUp() } catch is LogReplaced {
        guard let later = try await latest(after: id) else { throw LogReplaced() }
        try state.setSuccessor("\(later)", ofLog: "\(board)")
        continue
      }
      if try latestKnown() == id { return log }
    }
  }

  // MARK: The server

  /// Returns the number of bytes of a log on the server.
  public func byteCount(of id: LogID?) async throws -> Int {
    let stream = try open(id ?? board).stream
    return try await calls.run { try stream.extent()?.byteCount ?? 0 }
  }

  /// Returns the latest log that is in use; nil if it is not later than a log.
  ///
  /// A removed machine could have made a log, but it cannot have written an entry with the latest key.
  public func latest(after id: LogID?) async throws -> LogID? {
    // The group's log may have a key that this machine has not read.
    guard try await hasAllKeys() else { throw LogReplaced() }
    let minimum = max(minGeneration, generation(id ?? board) + 1)
    let all = try await calls.run { try self.logs() }
    let later = all.filter { generation($0) >= minimum }
    for id in later.sorted(by: { generation($0) > generation($1) }) {
      if try await isInUse(id) { return id }
      // The trail of a log that no machine uses.
      if try latestKnown() != id { try forget(id) }
    }
    if let anchor = anchors.first(where: { generation($0.key) == minGeneration && $0.key != board }
    ),
      minGeneration == minimum
    {
      throw LinkError.olderLog(seen: anchor.value.number, last: 0)
    }
    return nil
  }

  private func isInUse(_ id: LogID) async throws -> Bool {
    do {
      let log = try open(id)
      let last = try await log.lastNumber()
      guard last > 0 else { return false }
      var hasBatch = false
      for try await entry in log.entries(after: 0) {
        if LogRecord.isBatch(entry.batch) { hasBatch = true }
        if entry.number >= last { break }
      }
      try Task.checkCancellation()
      return try hasBatch && log.head.epoch >= keys.latest.epoch
    } catch let error as LinkError where error.isServerFault {
      return false
    } catch is LogReplaced {
      return false
    }
  }

  /// Removes a log that no entry names.
  public func remove(_ id: LogID) async throws {
    try forget(id)
    try await delete(id)
  }

  private func delete(_ id: LogID) async throws {
    let stream = Stream(connection: connection, name: streamName(of: id))
    try await calls.run { try stream.delete() }
  }

  private func forget(_ id: LogID) throws {
    _ = opened.withLock { $0.removeValue(forKey: id) }
    try state.removeLog("\(id)")
  }

  /// Removes the logs before a log, and unfinished logs of its generation.
  ///
  /// The last entry of the first log remains, so that no machine makes the log again.
  public func removeLogs(before id: LogID) async throws {
    let log = try open(id)
    let old = try await calls.run {
      // The entry that names this log must survive a power cut of the server.
      _ = try log.requireLog()
      return try self.logs().filter { self.generation($0) <= self.generation(id) && $0 != id }
    }
    // A log in the database that the server does not have would be restored.
    for name in try state.logs {
      guard let known = LogID(digits: name), let number = known.generation(in: board), number > 0,
        number <= generation(id), known != id
      else { continue }
      try forget(known)
    }
    try state.setSuccessor("\(id)", ofLog: "\(board)")
    try state.removeTrail(ofLog: "\(board)")
    for log in old {
      guard log == board else {
        try await delete(log)
        continue
      }
      let stream = Stream(connection: connection, name: streamName(of: log))
      try await calls.run { try stream.keepLastMessage() }
    }
  }

  /// Removes all logs of the board.
  func removeAll() async throws {
    for id in Set(try await calls.run { try self.logs() } + [board]).sorted() {
      try await delete(id)
    }
    for name in try state.logs {
      if let id = LogID(digits: name), id.generation(in: board) != nil { try forget(id) }
    }
  }

  /// Returns whether this board has a stream, and whether this machine knows a later log that replaces it.
  func isReplaced(_ stream: String) throws -> Bool? {
    guard let id = id(of: stream) else { return nil }
    let latest = try latestKnown()
    return id != board && id != latest && generation(id) <= generation(latest)
  }

  // MARK: Names

  private func streamName(of id: LogID) -> String {
    Stream.logPrefix + JetStreamLog.name(of: id, in: board, keys)
  }

  private func id(of stream: String) -> LogID? {
    let name = streamName(of: board)
    if stream == name { return board }
    guard stream.hasPrefix("\(name)-"),
      let id = LogID(digits: String(stream.dropFirst(name.count + 1))),
      id.generation(in: board) != nil
    else { return nil }
    return id
  }

  /// The logs of the board that the server has, with unfinished logs.
  private func logs() throws -> [LogID] { try Stream.names(on: connection).compactMap(id(of:)) }
}

extension LogID {
  /// Parses the digits of `description`; nil for any other text.
  fileprivate init?(digits: String) {
    guard let bytes = Hexadecimal.bytes(of: digits) else { return nil }
    self.init(bytes: bytes)
  }
}
