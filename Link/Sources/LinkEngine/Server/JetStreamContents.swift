public import Files
public import LinkModel
internal import Synchronization

/// The contents of a group in a stream of a NATS server, sealed and in chunks.
///
/// Each chunk is the only message of a subject. The subject contains a keyed hash, so the server
/// learns the size of a content but not its hash. The manifest is stored last, so a content whose
/// upload was interrupted does not exist.
public final class JetStreamContents: ContentStore {
  /// The maximum number of bytes of a content.
  public static let maxBytes = 4 << 30

  let keys: GroupKeys
  let stream: Stream
  let prefix: String
  let calls: BlockingCalls
  /// Threads that transfer chunks at the same time, so that no chunk waits for the answer to another.
  private let lanes = (0..<4).map { BlockingCalls("chunks.\($0)") }
  private let isCreated = Mutex(false)

  /// Creates the store, without a request to the server.
  public init(of keys: GroupKeys, on connection: NATSConnection) {
    self.keys = keys
    let name = keys.name(of: "contents", keys.id.bytes)
    stream = Stream(connection: connection, name: Stream.contentPrefix + name)
    prefix = "dragboard.contents.\(name)"
    calls = BlockingCalls("contents")
  }

  /// Stores a content if it does not exist yet.
  public func put(_ hash: ContentHash, _ content: ContentBytes) async throws {
    let count = try content.byteCount
    guard count <= Self.maxBytes else {
      throw LinkError.largeBatch(bytes: count, max: Self.maxBytes)
    }
    // Fail first if the server is absent.
    guard try await calls.run({ try !self.isStored(hash, count) }) else { return }
    let key = keys.latest
    try await transfer(ChunkNumbers(0, byteCount: count)) { [self] lane, index, range in
      try await lane.run { try self.upload(try content.read(range), index, of: hash, key) }
      return true
    }
    try await calls.run { [self] in
      var manifest = ByteWriter()
      manifest.write(count)
      try upload(manifest.bytes, ContentSeal.manifest, of: hash, key)
    }
  }

  /// The time for which `get` waits for the next part of a content that is being stored.
  private static let idleTime = Duration.seconds(30)

  /// Returns a content; nil if the server does not have it.
  ///
  /// If the server has its first part, another machine may be storing the content at the moment.
  /// Then waits as long as parts arrive.
  ///
  /// - Throws: `LinkError.alteredContent` if the server returns different bytes.
  public func get(
    _ hash: ContentHash, byteCount: Int, makeFile: @Sendable () async throws -> FileDescriptor
  ) async throws -> ContentBytes? {
    guard 0...Self.maxBytes ~= byteCount else {
      throw LinkError.largeBatch(bytes: byteCount, max: Self.maxBytes)
    }
    let first = try await calls.run { [self] in
      try requireStream()
      return try chunk(0, of: hash)
    }
    guard let first else { return nil }
    guard byteCount > ContentBytes.maxBytesInMemory else {
      guard first.count == byteCount, ContentHash(of: first) == hash else {
        throw LinkError.alteredContent(hash)
      }
      return .inMemory(first)
    }
    let content = ReceivedContent(hash, byteCount, in: try await makeFile())
    try content.add(first, 0)
    let isComplete = try await transfer(ChunkNumbers(1, byteCount: byteCount)) {
      [self] lane, index, _ in
      guard let chunk = try await awaitChunk(index, of: hash, content, lane) else { return false }
      try await lane.run { try content.add(chunk, Int(index)) }
      return true
    }
    guard isComplete else { return nil }
    return .file(try content.finish())
  }

  /// Returns a chunk; nil if no chunk of the content has arrived for `idleTime`.
  private func awaitChunk(
    _ index: UInt32, of hash: ContentHash, _ content: ReceivedContent, _ lane: BlockingCalls
  ) async throws -> [UInt8]? {
    var delay = Duration.milliseconds(4)
    while true {
      do {
        if let chunk = try await lane.run({ try self.chunk(index, of: hash) }) { return chunk }
      } catch let error as LinkError where error.isTemporary {
        guard content.idleTime < Self.idleTime else { throw error }
      }
      guard content.idleTime < Self.idleTime else { return nil }
      try await Task.sleep(for: delay)
      // While other chunks arrive, this one will probably arrive soon.
      delay = min(delay * 2, max(content.idleTime, .milliseconds(4)), .milliseconds(250))
    }
  }

  private func chunk(_ index: UInt32, of hash: ContentHash) throws(LinkError) -> [UInt8]? {
    guard let bytes = try stream.lastMessage(on: subject(of: hash, index)) else { return nil }
    return try ContentSeal.open(bytes, index, of: hash, keys: keys)
  }

  /// Removes a content; does nothing if it does not exist.
  public func remove(_ hash: ContentHash) async throws {
    try await calls.run { [self] in
      try requireStream()
      try stream.purge("\(subject(of: hash)).*")
    }
  }

  private func subject(of hash: ContentHash) -> String {
    "\(prefix).\(keys.name(of: "content", hash.bytes))"
  }

  private func subject(of hash: ContentHash, _ index: UInt32) -> String {
    "\(subject(of: hash)).\(index == ContentSeal.manifest ? "m" : String(index))"
  }

  /// Calls `body` for each chunk, several at the same time, until it returns false.
  ///
  /// - Returns: whether `body` has returned true for all chunks.
  @discardableResult
  private func transfer(
    _ chunks: ChunkNumbers,
    _ body: @escaping @Sendable (BlockingCalls, UInt32, Range<Int>) async throws -> Bool
  ) async throws -> Bool {
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for lane in lanes {
        group.addTask {
          while let (index, range) = chunks.next() {
            try Task.checkCancellation()
            guard try await body(lane, index, range) else { return false }
          }
          return true
        }
      }
      for try await isComplete in group where !isComplete {
        group.cancelAll()
        return false
      }
      return true
    }
  }

  /// Returns whether the server has a content.
  private func isStored(_ hash: ContentHash, _ byteCount: Int) throws(LinkError) -> Bool {
    guard let count = try storedByteCount(of: hash) else { return false }
    guard count == byteCount else { throw .alteredContent(hash) }
    return true
  }

  func storedByteCount(of hash: ContentHash) throws(LinkError) -> Int? {
    try requireStream()
    return try byteCount(of: hash)
  }

  func requireStream() throws(LinkError) {
    guard !isCreated.withLock({ $0 }) else { return }
    try stream.create(.init(subjects: "\(prefix).*.*", isLog: false))
    isCreated.withLock { $0 = true }
  }

  private func upload(
    _ plain: [UInt8], _ index: UInt32, of hash: ContentHash, _ key: GroupKey
  ) throws(LinkError) {
    // If the part already exists, `publish` returns nil, which is not an error: an earlier upload
    // was interrupted, or another machine has stored the part.
    _ = try stream.publish(
      ContentSeal.seal(plain, index, of: hash, key: key), on: subject(of: hash, index),
      after: .noMessage, id: nil, timeout: NATSConnection.transferTimeout)
  }

  private func byteCount(of hash: ContentHash) throws(LinkError) -> Int? {
    guard let bytes = try stream.lastMessage(on: subject(of: hash, ContentSeal.manifest)) else {
      return nil
    }
    var reader = ByteReader(
      try ContentSeal.open(bytes, ContentSeal.manifest, of: hash, keys: keys))
    guard let count = try? reader.readNumber(), count <= UInt64(Self.maxBytes) else {
      throw .alteredContent(hash)
    }
    return Int(count)
  }
}
