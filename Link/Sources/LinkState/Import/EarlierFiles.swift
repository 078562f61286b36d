internal import Files
internal import Glibc
internal import LinkModel
internal import Text

/// The files in which an earlier version of the link stored its state.
///
/// For each log: `LOG.trail`, `LOG.tail`, `LOG.tail.old` and `LOG.board`, and for each board the
/// directory `LOG` with its replica, a journal and contents.
struct EarlierFiles {
  private let directory: String

  init(in directory: String) { self.directory = directory }

  private static let suffixes = [".trail", ".tail", ".tail.old", ".board"]
  /// The time to wait for a service that is importing the files.
  private static let timeout = Duration.seconds(10)

  /// The names of the logs that have files.
  private var logs: Set<String> {
    let names = (try? FileDescriptor(opening: directory, O_RDONLY | O_DIRECTORY).names()) ?? []
    return Set(
      names.compactMap { name in
        let log = String(name.prefix { $0 != "." })
        let suffix = String(name.dropFirst(log.count))
        guard Hexadecimal.bytes(of: log)?.count == 16 else { return nil }
        return suffix.isEmpty || Self.suffixes.contains(suffix) ? log : nil
      })
  }

  var isEmpty: Bool { logs.isEmpty }

  /// Moves the state into the database.
  ///
  /// The state of a log is imported in one transaction, and its files are removed afterwards. So
  /// after a crash, the next import continues.
  func move(into state: StateDatabase, isService: Bool) throws {
    // An earlier version of the service may be using the files.
    let lock = isService ? nil : try takeLock()
    defer { withExtendedLifetime(lock) {} }
    for log in logs.sorted() {
      try state.write { connection in
        guard try connection.number(ofLog: log) == nil else { return }
        let number = try connection.makeLog(log)
        try importTrail(of: log, number, connection)
        try importReplica(of: log, number, connection, to: state.contentDirectory(ofLog: number))
        // The first version stored no path, and found the board by its name.
        let hasReplica = access("\(directory)/\(log)/replica", F_OK) == 0
        guard let board = try bytes("\(log).board") ?? (hasReplica ? [] : nil) else { return }
        try connection.run(
          "UPDATE log SET board = ? WHERE id = ?", String(decoding: board, as: UTF8.self), number)
      }
      removeFiles(of: log)
    }
  }

  /// Returns the lock of the service; nil if another program has imported all files.
  private func takeLock() throws -> FileDescriptor? {
    let lock = try FileDescriptor(opening: directory + "/lock", O_RDWR | O_CREAT, mode: 0o600)
    let end = ContinuousClock.now + Self.timeout
    while flock(lock.number, LOCK_EX | LOCK_NB) != 0 {
      if isEmpty { return nil }
      guard ContinuousClock.now < end else { throw StateDatabase.Problem.earlierService }
      usleep(50_000)
    }
    return lock
  }

  /// Returns the bytes of a file; nil if it does not exist.
  private func bytes(_ name: String) throws -> [UInt8]? {
    let path = "\(directory)/\(name)"
    guard access(path, F_OK) == 0 else { return nil }
    let file = try FileDescriptor(opening: path, O_RDONLY)
    var bytes: [UInt8] = []
    try file.forEachPiece {
      bytes.append(contentsOf: $0)
      return true
    }
    return bytes
  }

  private func removeFiles(of log: String) {
    for suffix in Self.suffixes { unlink("\(directory)/\(log)\(suffix)") }
    StateDatabase.removeDirectory("\(directory)/\(log)/contents")
    StateDatabase.removeDirectory("\(directory)/\(log)")
  }

  // MARK: The trail and the tail

  private func importTrail(
    of log: String, _ number: Int64, _ connection: StateConnection
  ) throws {
    let key = Hexadecimal.bytes(of: log) ?? []
    for (index, record) in Self.trail(try bytes("\(log).trail") ?? [], of: key).enumerated() {
      try connection.run(
        "INSERT INTO entry VALUES (?, ?, ?, ?, 0)", number, Int64(index + 1), record.hash,
        Int64(record.epoch))
    }
    var total = 0
    for name in ["\(log).tail.old", "\(log).tail"] {
      for entry in Self.tail(try bytes(name) ?? []) {
        try connection.run(
          "INSERT INTO sealed (log, number, bytes) VALUES (?, ?, ?)", number, Int64(entry.number),
          entry.bytes)
        total += entry.bytes.count
      }
    }
    try connection.run("UPDATE log SET tail = ? WHERE id = ?", Int64(total), number)
  }

  /// Returns the records of a trail: hash of the entry (32 bytes), epoch (4), checksum (4).
  ///
  /// A power cut can have left the last records incomplete.
  private static func trail(
    _ bytes: [UInt8], of log: [UInt8]
  ) -> [(hash: [UInt8], epoch: UInt64)] {
    var records: [(hash: [UInt8], epoch: UInt64)] = []
    for start in stride(from: 0, through: bytes.count - 40, by: 40) {
      let body = bytes[start..<start + 36]
      let number = UInt64(records.count + 1)
      let checked = log + withUnsafeBytes(of: number.bigEndian, Array.init) + body
      guard checksum(checked) == bytes[start + 36..<start + 40] else { break }
      records.append((Array(body.prefix(32)), Self.number(body.suffix(4))))
    }
    return records
  }

  /// Returns the records of a tail: number of the entry (8 bytes), number of its bytes (4), checksum
  /// (4), bytes.
  private static func tail(_ bytes: [UInt8]) -> [(number: UInt64, bytes: [UInt8])] {
    var entries: [(number: UInt64, bytes: [UInt8])] = []
    var rest = bytes[...]
    while rest.count >= 16 {
      let start = rest.startIndex
      let (header, sum) = (rest[start..<start + 12], rest[start + 12..<start + 16])
      let count = Int(number(header.suffix(4)))
      guard rest.count - 16 >= count else { break }
      let entry = rest[start + 16..<start + 16 + count]
      guard checksum(header + entry) == sum else { break }
      entries.append((number(header.prefix(8)), Array(entry)))
      rest = rest.dropFirst(16 + count)
    }
    return entries
  }

  private static func checksum(_ bytes: some Sequence<UInt8>) -> ArraySlice<UInt8> {
    ContentHash(of: Array(bytes)).bytes.prefix(4)
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }

  // MARK: The replica

  private func importReplica(
    of log: String, _ number: Int64, _ connection: StateConnection, to contents: String
  ) throws {
    let path = "\(log)/replica"
    guard let file = try bytes(path) else { return }
    var records = EarlierRecords(file)
    guard let generation = records.next(), let replica = records.next(), records.isWhole else {
      throw EarlierFile.Damaged(path: "\(directory)/\(path)")
    }
    try connection.run("INSERT INTO replica VALUES (?, ?)", number, replica)
    var reader = ByteReader(generation)
    var journal = EarlierRecords(try bytes("\(log)/journal-\(try reader.readNumber())") ?? [])
    while let event = journal.next() {
      try connection.run("INSERT INTO event (log, bytes) VALUES (?, ?)", number, event)
    }
    let directory = "\(directory)/\(log)/contents"
    for name in (try? FileDescriptor(opening: directory, O_RDONLY | O_DIRECTORY).names()) ?? [] {
      guard let hash = ContentHash(digits: name) else { continue }
      var status = stat()
      guard stat("\(directory)/\(name)", &status) == 0 else { continue }
      // The old name remains until the transaction is durable.
      for path in ["\(self.directory)/contents", contents] {
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw FileError(path: path) }
      }
      guard link("\(directory)/\(name)", "\(contents)/\(name)") == 0 || errno == EEXIST else {
        throw FileError(path: "\(contents)/\(name)")
      }
      try connection.run(
        "INSERT INTO content VALUES (?, ?, ?)", number, hash.bytes, Int64(status.st_mtim.tv_sec))
    }
  }
}

/// The records of a replica or a journal of an earlier version: number of the bytes (4 bytes, least
/// significant first), checksum (8), bytes.
private struct EarlierRecords {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  /// Whether there is no further byte.
  var isWhole: Bool { rest.isEmpty }

  /// Returns the next record; nil at the end, and if a crash has truncated the next record.
  mutating func next() -> [UInt8]? {
    guard rest.count >= 12 else { return nil }
    let count = Int(Self.number(rest.prefix(4)))
    let (sum, record) = (Self.number(rest.dropFirst(4).prefix(8)), rest.dropFirst(12).prefix(count))
    guard record.count == count, sum == Self.checksum(of: record) else { return nil }
    rest = rest.dropFirst(12 + count)
    return Array(record)
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// FNV-1a.
  private static func checksum(of record: ArraySlice<UInt8>) -> UInt64 {
    record.withUnsafeBufferPointer { record in
      var sum: UInt64 = 0xcbf2_9ce4_8422_2325
      for byte in record { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01b3 }
      return sum
    }
  }
}

/// The error of a file of an earlier version.
private enum EarlierFile {
  struct Damaged: Error, CustomStringConvertible {
    let path: String
    var description: String { "\(path): damaged (remove its directory, then start the link again)" }
  }
}
