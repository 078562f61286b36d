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
  private let isCreated = Mutex(false)

  /// Creates the store, without a request to the server.
  public init(of keys: GroupKeys, on connection: NATSConnection) {
    self.keys = keys
    let name = keys.name(of: "contents", keys.id.bytes)
    stream = Stream(connection: connection, name: "dragboard-contents-\(name)")
    prefix = "dragboard.contents.\(name)"
    calls = BlockingCalls("contents")
  }

  /// Stores a content if it does not exist yet, and returns its hash.
  public func put(_ bytes: [UInt8]) async throws -> ContentHash {
    guard bytes.count <= Self.maxBytes else {
      throw LinkError.largeBatch(bytes: bytes.count, max: Self.maxBytes)
    }
    return try await calls.run { try self.store(bytes) }
  }

  /// Returns a content; nil if the server does not have it.
  ///
  /// - Throws: `LinkError.alteredContent` if the server returns different bytes.
  public func get(_ hash: ContentHash) async throws -> [UInt8]? {
    try await calls.run { try self.load(hash) }
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

  private func store(_ bytes: [UInt8]) throws(LinkError) -> ContentHash {
    guard let hash = ContentHash(bytes: Sodium.hash(bytes)) else {
      preconditionFailure("a hash has 32 bytes")
    }
    try requireStream()
    if let count = try byteCount(of: hash) {
      guard count == bytes.count else { throw .alteredContent(hash) }
      return hash
    }
    let key = keys.latest
    for (index, start) in stride(from: 0, to: bytes.count, by: ContentSeal.chunkSize).enumerated() {
      let chunk = bytes[start..<min(start + ContentSeal.chunkSize, bytes.count)]
      try upload(Array(chunk), UInt32(index), of: hash, key)
    }
    var manifest = ByteWriter()
    manifest.write(bytes.count)
    try upload(manifest.bytes, ContentSeal.manifest, of: hash, key)
    return hash
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

  private func load(_ hash: ContentHash) throws(LinkError) -> [UInt8]? {
    try requireStream()
    guard let count = try byteCount(of: hash) else { return nil }
    var content: [UInt8] = []
    content.reserveCapacity(count)
    var index: UInt32 = 0
    while content.count < count {
      // While another machine removes the content, a chunk may be missing.
      guard let bytes = try stream.lastMessage(on: subject(of: hash, index)) else { return nil }
      content += try ContentSeal.open(bytes, index, of: hash, keys: keys)
      index += 1
    }
    guard Sodium.hash(content) == hash.bytes else { throw .alteredContent(hash) }
    return content
  }
}
