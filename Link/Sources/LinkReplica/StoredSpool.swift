public import Files
internal import Glibc
public import LinkModel
internal import LinkState
internal import SQLite

/// Contents in files whose names are the hashes of the contents.
///
/// The database has the index. A file is written before its row, and removed after its row, so a
/// crash can only leave a file without a row.
public actor StoredSpool: ContentSpool {
  /// The number of bytes from which on a content is not synced to the disk.
  ///
  /// The daemon has the content, too. After a power cut, its hash is computed before it is used.
  private static let maxSyncedBytes = 1 << 20

  private let state: StateDatabase
  private let log: Int64
  private let directory: String
  /// The contents whose files are known to be complete.
  private var complete: Set<ContentHash> = []

  /// Opens the spool of a replica.
  public init(_ replica: StoredReplica) throws {
    (state, log) = (replica.state, replica.log)
    directory = state.contentDirectory(ofLog: log)
    for path in ["\(state.directory)/contents", directory] {
      guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw FileError(path: path) }
    }
    let known = Set(try Self.contents(of: log, in: state, before: .max).map(\.description))
    let names = try FileDescriptor(opening: directory, O_RDONLY | O_DIRECTORY).names()
    for name in names where !known.contains(name) { unlink("\(directory)/\(name)") }
  }

  private func path(_ hash: ContentHash) -> String { "\(directory)/\(hash)" }

  /// Creates an empty file for `put`; if it is not put, the next start removes it.
  public func makeFile() throws -> FileDescriptor {
    try FileDescriptor(
      opening: "\(directory)/new-\(UInt64.random(in: 0 ... .max))", O_RDWR | O_CREAT | O_EXCL,
      mode: 0o600)
  }

  /// Creates an empty file without a name.
  public func makeUnnamedFile() throws -> FileDescriptor {
    let file = try makeFile()
    unlink(file.path)
    return file
  }

  /// Whether a content is stored.
  public func contains(_ hash: ContentHash) throws -> Bool {
    try state.read { connection in
      let sql = "SELECT 1 FROM content WHERE log = ? AND hash = ?"
      return try connection.first(sql, log, hash.bytes) { _ in true } ?? false
    }
  }

  /// Writes a content to a file, or gives its file its name.
  ///
  /// If the content is stored, only renews its time.
  public func put(_ hash: ContentHash, _ content: ContentBytes) throws {
    let isStored = try contains(hash)
    switch content {
    case .inMemory(let bytes):
      if !isStored { try AtomicFile.write(bytes, to: path(hash)) }
    case .file(let file):
      if isStored {
        unlink(file.path)
      } else {
        if try file.byteCount() <= Self.maxSyncedBytes { try file.syncData() }
        guard rename(file.path, path(hash)) == 0 else { throw FileError(path: file.path) }
      }
    }
    complete.insert(hash)
    try state.write { connection in
      try connection.run("INSERT OR REPLACE INTO content VALUES (?, ?, ?)", log, hash.bytes, now)
    }
  }

  /// Makes the age of a content start again at zero.
  public func renew(_ hash: ContentHash) throws {
    try state.write { connection in
      try connection.run(
        "UPDATE content SET time = ? WHERE log = ? AND hash = ?", now, log, hash.bytes)
    }
  }

  private var now: Int64 { Int64(Glibc.time(nil)) }

  /// Opens a content.
  public func get(_ hash: ContentHash) throws -> ContentBytes? {
    guard try contains(hash) else { return nil }
    let file = try? FileDescriptor(opening: path(hash), O_RDONLY)
    let isComplete = try complete.contains(hash) || file.map(ContentBytes.file)?.hash() == hash
    guard let file, isComplete else {
      try remove(hash, olderThan: .zero)
      return nil
    }
    complete.insert(hash)
    let count = try file.byteCount()
    return count > ContentBytes.maxBytesInMemory
      ? .file(file) : .inMemory(try file.readPrefix(count))
  }

  /// Removes a content if its latest use was at least `age` ago.
  public func remove(_ hash: ContentHash, olderThan age: Duration) throws {
    let removed = try state.write { connection in
      let sql = "DELETE FROM content WHERE log = ? AND hash = ? AND time <= ? RETURNING 1"
      return try connection.first(sql, log, hash.bytes, Self.time(before: age)) { _ in true }
    }
    guard removed == true else { return }
    unlink(path(hash))
    complete.remove(hash)
  }

  /// Whether no content is stored.
  public var isEmpty: Bool {
    get throws {
      try state.read { connection in
        let sql = "SELECT 1 FROM content WHERE log = ? LIMIT 1"
        return try connection.first(sql, log) { _ in true } == nil
      }
    }
  }

  /// Returns the contents whose latest use was at least `age` ago, with their numbers of bytes.
  public func contents(olderThan age: Duration) throws -> [ContentHash: Int] {
    var counts: [ContentHash: Int] = [:]
    for hash in try Self.contents(of: log, in: state, before: Self.time(before: age)) {
      counts[hash] = (try? FileDescriptor(opening: path(hash), O_RDONLY).byteCount()) ?? 0
    }
    return counts
  }

  private static func contents(
    of log: Int64, in state: StateDatabase, before time: Int64
  ) throws -> [ContentHash] {
    var hashes: [ContentHash] = []
    try state.read { connection in
      try connection.forEach("SELECT hash FROM content WHERE log = ? AND time <= ?", log, time) {
        if let hash = ContentHash(bytes: Array($0.bytes(0))) { hashes.append(hash) }
      }
    }
    return hashes
  }

  private static func time(before age: Duration) -> Int64 {
    Int64(Glibc.time(nil)) - age.components.seconds
  }
}
