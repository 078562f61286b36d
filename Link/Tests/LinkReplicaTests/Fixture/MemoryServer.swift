import Files
import LinkModel

/// A log and contents in memory. A test can make the server unreachable.
actor MemoryServer: EditLog, BoardLogs, ContentStore {
  /// The error of a call while the server is unreachable.
  struct Offline: Error {}

  private(set) var entries: [LogEntry] = []
  private var contents: [ContentHash: [UInt8]] = [:]
  private var streams: [Int: AsyncThrowingStream<LogEntry, any Error>.Continuation] = [:]
  private var lastStream = 0
  private var isOnline = true
  private var maxBytes = Int.max
  private var acceptsContents = true
  /// Whether the answer to the next append is lost.
  private var losesAnswer = false

  func setOnline(_ isOnline: Bool) {
    self.isOnline = isOnline
    guard !isOnline else { return }
    for stream in streams.values { stream.finish(throwing: Offline()) }
    streams = [:]
  }

  /// The error of a server that stores only smaller batches.
  struct Refusal: StorageRefusal {
    let isRefusal = true
  }

  /// Sets the maximum number of bytes of a batch.
  func setMaxBytes(_ count: Int) { maxBytes = count }

  /// Sets whether the server stores contents; otherwise it is too slow for them.
  func setAcceptsContents(_ accepts: Bool) { acceptsContents = accepts }

  func loseNextAnswer() { losesAnswer = true }

  private func check() throws { if !isOnline { throw Offline() } }

  func append(_ batch: [UInt8], after last: UInt64) async throws -> UInt64? {
    try check()
    guard entries.count == Int(last) else { return nil }
    guard batch.count <= maxBytes else { throw Refusal() }
    let entry = LogEntry(number: last + 1, batch: batch)
    entries.append(entry)
    for stream in streams.values { stream.yield(entry) }
    if losesAnswer {
      losesAnswer = false
      throw Offline()
    }
    return entry.number
  }

  func lastNumber() throws -> UInt64 {
    try check()
    return UInt64(entries.count)
  }

  nonisolated func entries(after last: UInt64) -> AsyncThrowingStream<LogEntry, any Error> {
    let (stream, continuation) = AsyncThrowingStream.makeStream(
      of: LogEntry.self, throwing: (any Error).self)
    Task { await open(continuation, after: last) }
    return stream
  }

  private func open(
    _ stream: AsyncThrowingStream<LogEntry, any Error>.Continuation, after last: UInt64
  ) {
    guard isOnline else { return stream.finish(throwing: Offline()) }
    for entry in entries.dropFirst(Int(last)) { stream.yield(entry) }
    lastStream += 1
    streams[lastStream] = stream
  }

  // MARK: BoardLogs

  let board = LogID(7, 7)

  nonisolated func log(_ id: LogID?) -> any EditLog { self }
  nonisolated func makeLog(_ id: LogID) throws -> any EditLog { throw Offline() }
  func byteCount(of id: LogID?) -> Int { 0 }
  func latest(after id: LogID?) -> LogID? { nil }
  func remove(_ id: LogID) {}
  func removeLogs(before id: LogID) {}

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
