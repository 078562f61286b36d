internal import Files
internal import Glibc
public import LinkModel
internal import LinkState
internal import SQLite

/// Contents in files whose names are the hashes of the contents.
///
/// The database has the index. A file is written before its row, and removed after its row, so a
/// crash can only leave a file without a row.
public actor StoredSpool: ContentSpool {
  private let state: StateDatabase
  private let log: Int64
  private let directory: String

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

  private func isStored(_ hash: ContentHash) throws -> Bool {
    try state.read { connection in
      let sql = "SELECT 1 FROM content WHERE log = ? AND hash = ?"
      return try connection.first(sql, log, hash.bytes) { _ in true } ?? false
    }
  }

  /// Writes a content to a file and syncs the file.
  ///
  /// If the content is stored, only renews its time.
  public func put(_ hash: ContentHash, _ bytes: [UInt8]) throws {
    if try !isStored(hash) { try AtomicFile.write(bytes, to: path(hash)) }
    try state.write { connection in
      try connection.run(
        "INSERT OR REPLACE INTO content VALUES (?, ?, ?)", log, hash.bytes, Int64(Glibc.time(nil)))
    }
  }

  /// Reads a content.
  public func get(_ hash: ContentHash) throws -> [UInt8]? {
    guard try isStored(hash) else { return nil }
    let file = try FileDescriptor(opening: path(hash), O_RDONLY)
    var bytes: [UInt8] = []
    try file.forEachPiece {
      bytes.append(contentsOf: $0)
      return true
    }
    return bytes
  }

  /// Removes a content if its latest use was at least `age` ago.
  public func remove(_ hash: ContentHash, olderThan age: Duration) throws {
    let removed = try state.write { connection in
      let sql = "DELETE FROM content WHERE log = ? AND hash = ? AND time <= ? RETURNING 1"
      return try connection.first(sql, log, hash.bytes, Self.time(before: age)) { _ in true }
    }
    if removed == true { unlink(path(hash)) }
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

  /// Returns the contents whose latest use was at least `age` ago.
  public func contents(olderThan age: Duration) throws -> [ContentHash] {
    try Self.contents(of: log, in: state, before: Self.time(before: age))
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
