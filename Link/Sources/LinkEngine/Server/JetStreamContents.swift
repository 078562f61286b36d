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

  /// Stores a content if it does not exist yet, and returns its hash.
  public func put(_ bytes: [UInt8]) async throws -> ContentHash {
    guard bytes.count <= Self.maxBytes else {
      throw LinkError.largeBatch(bytes: bytes.count, max: Self.maxBytes)
    }
    // Fail first if the server is absent.
    try await calls.run { try self.requireStream() }
    let hash = ContentHash(of: bytes)
    guard try await calls.run({ try !self.isStored(hash, bytes.count) }) else { return hash }
    let key = keys.latest
    let size = ContentSeal.chunkSize
    _ = try await transfer((bytes.count + size - 1) / size) { [self] index in
      let start = Int(index) * size
      let chunk = Array(bytes[start..<min(start + size, bytes.count)])
      try upload(chunk, index, of: hash, key)
    }
    try await calls.run { [self] in
      var manifest = ByteWriter()
      manifest.write(bytes.count)
      try upload(manifest.bytes, ContentSeal.manifest, of: hash, key)
    }
    return hash
  }

  /// Returns a content; nil if the server does not have it.
  ///
  /// - Throws: `LinkError.alteredContent` if the server returns different bytes.
  public func get(_ hash: ContentHash) async throws -> [UInt8]? {
    guard let count = try await calls.run({ try self.storedByteCount(of: hash) }) else {
      return nil
    }
    var content: [UInt8] = []
    content.reserveCapacity(count)
    let size = ContentSeal.chunkSize
    let isComplete = try await transfer((count + size - 1) / size) { [self] index in
      try stream.lastMessage(on: subject(of: hash, index)).map {
        try ContentSeal.open($0, index, of: hash, keys: keys)
      }
    } then: { chunk in
      // A chunk is missing while another machine removes the content.
      guard let chunk else { return false }
      content += chunk
      return true
    }
    guard isComplete else { return nil }
    guard content.count == count, ContentHash(of: content) == hash else {
      throw LinkError.alteredContent(hash)
    }
    return content
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

  /// Calls `body` with the index of each chunk, several at the same time, and then `then` with the
  /// results in order, until it returns false.
  ///
  /// - Returns: the last result of `then`; true if there are no chunks.
  private func transfer<Result: Sendable>(
    _ count: Int, _ body: @escaping @Sendable (UInt32) throws -> Result,
    then: (Result) -> Bool = { _ in true }
  ) async throws -> Bool {
    for first in stride(from: 0, to: count, by: lanes.count) {
      let indexes = (first..<min(first + lanes.count, count)).map(UInt32.init)
      let results = try await withThrowingTaskGroup(of: (UInt32, Result).self) { group in
        for (index, lane) in zip(indexes, lanes) {
          group.addTask { (index, try await lane.run { try body(index) }) }
        }
        return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
      }
      for index in indexes { if let result = results[index], !then(result) { return false } }
    }
    return true
  }

  /// Returns whether the server has a content.
  private func isStored(_ hash: ContentHash, _ byteCount: Int) throws(LinkError) -> Bool {
    guard let count = try storedByteCount(of: hash) else { return false }
    guard count == byteCount else { throw .alteredContent(hash) }
    return true
  }

  private func storedByteCount(of hash: ContentHash) throws(LinkError) -> Int? {
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
