internal import Files
internal import Glibc
public import LinkModel

/// The directory in which a link stores the replica of one board.
///
/// - `replica` contains a replica and the number of its journal.
/// - `journal-N` contains the events since then. Each record consists of its length, a checksum and
///   an event. The journal ends before the first truncated record, which a crash can leave.
/// - `contents/` contains contents that are not in the content store yet.
///
/// A new replica replaces the old one as a whole (`AtomicFile`). If the link is killed before
/// the rename, the old replica and its journal are complete. If it is killed after the rename, the
/// new journal is empty.
public struct ReplicaDirectory: Sendable {
  let path: String
  private let lock: FileDescriptor

  /// Opens a directory, or creates it.
  ///
  /// - Throws: `ReplicaDirectoryError.inUse` if another process uses the directory; `FileError`.
  public init(_ path: String) throws {
    for directory in [path, path + "/contents"] {
      guard mkdir(directory, 0o700) == 0 || errno == EEXIST else {
        throw FileError(path: directory)
      }
    }
    self.path = path
    lock = try FileDescriptor(opening: path + "/lock", O_RDWR | O_CREAT, mode: 0o600)
    guard flock(lock.number, LOCK_EX | LOCK_NB) == 0 else {
      throw ReplicaDirectoryError.inUse(path)
    }
    for directory in [path, path + "/contents"] { AtomicFile.removeLeftovers(in: directory) }
  }

  /// Reads the replica, or creates one with a new machine key.
  public func load() throws -> (replica: Replica, journal: FileJournal) {
    let replicaPath = path + "/replica"
    guard access(replicaPath, F_OK) == 0 else {
      var generator = SystemRandomNumberGenerator()
      let replica = Replica(machine: .random(using: &generator))
      try write(replica, generation: 1)
      return try load()
    }
    var records = Records(try Self.bytes(of: replicaPath))
    guard let number = records.next(), let bytes = records.next(), records.isWhole else {
      throw ReplicaDirectoryError.damaged(replicaPath)
    }
    var reader = ByteReader(number)
    let generation = try reader.readNumber()
    var replica = try Replica(bytes: bytes)
    let journalPath = "\(path)/journal-\(generation)"
    let file = try FileDescriptor(opening: journalPath, O_RDWR | O_CREAT, mode: 0o600)
    var journal = Records(try Self.bytes(of: journalPath))
    var events: [ReplicaEvent] = []
    while let record = journal.next() { events.append(try ReplicaEvent(bytes: record)) }
    guard ftruncate(file.number, off_t(journal.end)) == 0,
      lseek(file.number, 0, SEEK_END) == journal.end
    else { throw FileError(path: journalPath) }
    try syncNames()
    try removeOtherJournals(than: generation)
    replica.apply(events)
    return (
      replica,
      FileJournal(
        self, file, generation: generation, byteCount: journal.end, replicaByteCount: bytes.count)
    )
  }

  /// Replaces the stored replica.
  ///
  /// The number of its journal is `generation`.
  func write(_ replica: Replica, generation: UInt64) throws {
    guard let bytes = replica.bytes else { return }
    var number = ByteWriter()
    number.write(generation)
    let records = Records.encoded(number.bytes) + Records.encoded(bytes)
    try AtomicFile.write(records, to: path + "/replica")
  }

  private func syncNames() throws {
    try FileDescriptor(opening: path, O_RDONLY | O_DIRECTORY).syncNames()
  }

  func removeOtherJournals(than generation: UInt64) throws {
    for name in try Self.names(in: path)
    where name.hasPrefix("journal-") && name != "journal-\(generation)" {
      unlink("\(path)/\(name)")
    }
  }

  static func names(in path: String) throws -> [String] {
    try FileDescriptor(opening: path, O_RDONLY | O_DIRECTORY).names()
  }

  static func bytes(of path: String) throws -> [UInt8] {
    let file = try FileDescriptor(opening: path, O_RDONLY)
    var bytes: [UInt8] = []
    try file.forEachPiece {
      bytes.append(contentsOf: $0)
      return true
    }
    return bytes
  }
}

/// The reason why a directory cannot be used.
public enum ReplicaDirectoryError: Error, Hashable, Sendable {
  /// Another process uses the directory.
  case inUse(String)
  /// A file of the directory is damaged.
  case damaged(String)
}

/// The records of a file.
private struct Records {
  private let bytes: [UInt8]
  /// The offset after the last record.
  private(set) var end = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Whether the file ends after the last record.
  var isWhole: Bool { end == bytes.count }

  /// Returns the next record; nil at the end, and if the next record is truncated.
  mutating func next() -> [UInt8]? {
    guard bytes.count - end >= Self.headerSize else { return nil }
    let header = bytes[end..<end + Self.headerSize]
    let count = Int(Self.number(header.prefix(4)))
    let start = end + Self.headerSize
    guard bytes.count - start >= count else { return nil }
    let record = Array(bytes[start..<start + count])
    guard Self.number(header.suffix(8)) == Self.checksum(of: record) else { return nil }
    end = start + count
    return record
  }

  private static let headerSize = 12

  static func encoded(_ record: [UInt8]) -> [UInt8] {
    let header = (0..<4).map { UInt8(truncatingIfNeeded: record.count >> ($0 * 8)) }
    let sum = checksum(of: record)
    return header + (0..<8).map { UInt8(truncatingIfNeeded: sum >> ($0 * 8)) } + record
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// FNV-1a.
  private static func checksum(of record: [UInt8]) -> UInt64 {
    record.withUnsafeBufferPointer { record in
      var sum: UInt64 = 0xcbf2_9ce4_8422_2325
      for byte in record { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01b3 }
      return sum
    }
  }
}

/// The journal of a replica in a file.
public actor FileJournal: ReplicaJournal {
  /// The number of bytes up to which a journal is not compacted.
  private static let minLongBytes = 1 << 20

  private let directory: ReplicaDirectory
  private var file: FileDescriptor
  private var generation: UInt64
  private var byteCount: Int
  private var replicaByteCount: Int

  fileprivate init(
    _ directory: ReplicaDirectory, _ file: FileDescriptor, generation: UInt64, byteCount: Int,
    replicaByteCount: Int
  ) {
    self.directory = directory
    self.file = file
    self.generation = generation
    self.byteCount = byteCount
    self.replicaByteCount = replicaByteCount
  }

  /// Appends events and syncs the file.
  public func append(_ events: [ReplicaEvent]) throws -> Bool {
    let records = events.flatMap { Records.encoded($0.bytes) }
    try file.write(records)
    try file.syncData()
    byteCount += records.count
    return byteCount > max(Self.minLongBytes, replicaByteCount)
  }

  /// Replaces all events by a replica.
  ///
  /// Does nothing if `isSynced` of the replica is false.
  public func compact(to replica: Replica) throws {
    guard let bytes = replica.bytes else { return }
    let path = "\(directory.path)/journal-\(generation + 1)"
    let new = try FileDescriptor(opening: path, O_RDWR | O_CREAT | O_TRUNC, mode: 0o600)
    try directory.write(replica, generation: generation + 1)
    file = new
    generation += 1
    (byteCount, replicaByteCount) = (0, bytes.count)
    try directory.removeOtherJournals(than: generation)
  }
}

/// Contents in files whose names are the hashes of the contents.
public actor FileSpool: ContentSpool {
  private let path: String
  private var names: Set<String>

  /// Opens the spool in a directory.
  public init(_ directory: ReplicaDirectory) throws {
    path = directory.path + "/contents"
    names = Set(try ReplicaDirectory.names(in: path).filter { ContentHash(digits: $0) != nil })
  }

  private func name(_ hash: ContentHash) -> String { hash.description }

  /// Writes a content to a file and syncs the file.
  ///
  /// If the file exists, only renews its time.
  public func put(_ hash: ContentHash, _ bytes: [UInt8]) throws {
    let name = name(hash)
    guard !names.contains(name) else {
      guard utimes("\(path)/\(name)", nil) == 0 else { throw FileError(path: "\(path)/\(name)") }
      return
    }
    try AtomicFile.write(bytes, to: "\(path)/\(name)")
    names.insert(name)
  }

  /// Reads a content.
  public func get(_ hash: ContentHash) throws -> [UInt8]? {
    let name = name(hash)
    guard names.contains(name) else { return nil }
    return try ReplicaDirectory.bytes(of: "\(path)/\(name)")
  }

  /// Removes the file of a content if it was last written or renewed at least `age` ago.
  public func remove(_ hash: ContentHash, olderThan age: Duration) {
    let name = name(hash)
    guard isOld(name, age) else { return }
    unlink("\(path)/\(name)")
    names.remove(name)
  }

  /// Whether there is no file.
  public var isEmpty: Bool { names.isEmpty }

  /// Returns the contents whose files were last written or renewed at least `age` ago.
  public func contents(olderThan age: Duration) -> [ContentHash] {
    names.filter { isOld($0, age) }.compactMap { ContentHash(digits: $0) }
  }

  private func isOld(_ name: String, _ age: Duration) -> Bool {
    var status = stat()
    return stat("\(path)/\(name)", &status) == 0
      && status.st_mtim.tv_sec <= time(nil) - Int(age.components.seconds)
  }
}
