import Files
import LinkModel

/// The logs of a board and contents in memory. A test can make the server unreachable.
actor MemoryServer: BoardLogs, ContentStore {
  /// The error of a call while the server is unreachable.
  struct Offline: Error {}

  private var logs: [LogID: [LogEntry]] = [LogID(7, 7): []]
  private var contents: [ContentHash: [UInt8]] = [:]
  private var streams:
    [Int: (log: LogID, entries: AsyncThrowingStream<LogEntry, any Error>.Continuation)] = [:]
  private var lastStream = 0
  private var isOnline = true
  private var maxBytes = Int.max
  private var acceptsContents = true
  /// Whether the answer to the next append is lost.
  private var losesAnswer = false
  private var answersReaders = true

  func setOnline(_ isOnline: Bool) {
    self.isOnline = isOnline
    guard !isOnline else { return }
    for stream in streams.values { stream.entries.finish(throwing: Offline()) }
    streams = [:]
  }

  /// The error of a server that stores only smaller batches.
  struct Refusal: StorageRefusal {
    let isRefusal = true
  }

  /// Sets the maximum number of bytes of a batch.
  func setMaxBytes(_ count: Int) { maxBytes = count }

  /// The number of batches that the server has refused.
  private(set) var refusalCount = 0

  /// Sets whether the server stores contents; otherwise it is too slow for them.
  func setAcceptsContents(_ accepts: Bool) { acceptsContents = accepts }

  func loseNextAnswer() { losesAnswer = true }

  /// Sets whether a reader of a log that does not exist gets an answer.
  func setAnswersReaders(_ answers: Bool) { answersReaders = answers }

  private func check() throws { if !isOnline { throw Offline() } }

  // MARK: BoardLogs

  let board = LogID(7, 7)

  private func generation(_ id: LogID) -> UInt64 { id.generation(in: board) ?? 0 }

  /// The ids of the logs that the server has, the latest last.
  var ids: [LogID] { logs.keys.sorted { generation($0) < generation($1) } }

  /// The entries of the latest log.
  var entries: [LogEntry] { ids.last.flatMap { logs[$0] } ?? [] }

  nonisolated func log(_ id: LogID?) -> any EditLog { Log(owner: self, id: id ?? board) }
  nonisolated func makeLog(_ id: LogID) -> any EditLog { Log(owner: self, id: id, isNew: true) }
  func byteCount(of id: LogID?) throws -> Int {
    try entries(of: id ?? board).reduce(0) { $0 + $1.batch.count }
  }

  func latest(after id: LogID?) throws -> LogID? {
    try check()
    return ids.last { log in
      generation(log) > generation(id ?? board)
        && logs[log]?.contains { LogRecord.isBatch($0.batch) } ?? false
    }
  }

  func remove(_ id: LogID) throws {
    try check()
    logs[id] = nil
  }

  func removeLogs(before id: LogID) throws {
    for log in ids where log != id && generation(log) <= generation(id) { try remove(log) }
  }

  // MARK: A log

  fileprivate func append(
    _ batch: [UInt8], to id: LogID, after last: UInt64, isNew: Bool
  ) throws -> UInt64? {
    try check()
    if isNew, logs[id] == nil { logs[id] = [] }
    guard try entries(of: id).count == Int(last) else { return nil }
    guard batch.count <= maxBytes else {
      refusalCount += 1
      throw Refusal()
    }
    let entry = LogEntry(number: last + 1, batch: batch)
    logs[id]?.append(entry)
    for stream in streams.values where stream.log == id { stream.entries.yield(entry) }
    if losesAnswer {
      losesAnswer = false
      throw Offline()
    }
    return entry.number
  }

  fileprivate func entries(of id: LogID) throws -> [LogEntry] {
    try check()
    guard let entries = logs[id] else { throw LogReplaced() }
    return entries
  }

  fileprivate func open(
    _ stream: AsyncThrowingStream<LogEntry, any Error>.Continuation, of id: LogID,
    after last: UInt64
  ) {
    do {
      for entry in try entries(of: id).dropFirst(Int(last)) { stream.yield(entry) }
    } catch {
      if answersReaders || !(error is LogReplaced) { stream.finish(throwing: error) }
      return
    }
    lastStream += 1
    streams[lastStream] = (id, stream)
  }

  private struct Log: EditLog {
    let owner: MemoryServer
    let id: LogID
    var isNew = false

    func append(_ batch: [UInt8], after last: UInt64) async throws -> UInt64? {
      try await owner.append(batch, to: id, after: last, isNew: isNew)
    }

    func lastNumber() async throws -> UInt64 { UInt64(try await owner.entries(of: id).count) }

    func entries(after last: UInt64) -> AsyncThrowingStream<LogEntry, any Error> {
      let (stream, continuation) = AsyncThrowingStream.makeStream(
        of: LogEntry.self, throwing: (any Error).self)
      Task { await owner.open(continuation, of: id, after: last) }
      return stream
    }
  }

  // MARK: ContentStore

  func put(_ hash: ContentHash, _ content: ContentBytes) throws {
    try check()
    guard acceptsContents, try content.hash() == hash else { throw Offline() }
    contents[hash] = try content.read(0..<(try content.byteCount))
  }

  func get(
    _ hash: ContentHash, byteCount: Int, makeFile: @Sendable () async throws -> FileDescriptor
  ) async throws -> ContentBytes? {
    try check()
    guard let bytes = contents[hash] else { return nil }
    guard bytes.count > ContentBytes.maxBytesInMemory else { return .inMemory(bytes) }
    let file = try await makeFile()
    try file.write(bytes)
    return .file(file)
  }

  func remove(_ hash: ContentHash) { contents[hash] = nil }
}
