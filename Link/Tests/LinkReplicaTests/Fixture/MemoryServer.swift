import LinkModel

/// A log and contents in memory. A test can make the server unreachable.
actor MemoryServer: EditLog, ContentStore {
  /// The error of a call while the server is unreachable.
  struct Offline: Error {}

  private(set) var entries: [LogEntry] = []
  private var contents: [ContentHash: [UInt8]] = [:]
  private var streams: [Int: AsyncThrowingStream<LogEntry, any Error>.Continuation] = [:]
  private var lastStream = 0
  private var isOnline = true
  private var maxBytes = Int.max
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

  func put(_ bytes: [UInt8]) throws -> ContentHash {
    try check()
    let hash = ContentHash(of: bytes)
    contents[hash] = bytes
    return hash
  }

  func get(_ hash: ContentHash) throws -> [UInt8]? {
    try check()
    return contents[hash]
  }

  func remove(_ hash: ContentHash) { contents[hash] = nil }
}
