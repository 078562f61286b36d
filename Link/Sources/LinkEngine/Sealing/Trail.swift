public import Files
internal import Glibc
public import LinkModel
internal import Synchronization

/// Files with the hash of every entry of a log that this machine has verified, and with the latest
/// entries.
///
/// With it, the machine detects if the server returns a different entry than before, or if the log
/// ends earlier than before. The file has one record of 40 bytes for each entry: hash (32), epoch
/// (4), checksum (4). All programs of the user share the file, and each access locks it.
public final class Trail: Sendable {
  private static let recordSize = 40

  private let file: FileDescriptor
  private let log: LogID
  private let start: ChainHead
  private let tail: Tail
  /// The highest entry number whose record is known to be on the disk.
  private let synced: Mutex<UInt64>

  /// Opens the trail of a log in a directory, or creates it.
  ///
  /// If a power cut has left a record incomplete, removes this record and all records after it.
  public init(of log: LogID, in directory: String) throws(FileError) {
    self.log = log
    start = EntryChain.start(of: log)
    file = try FileDescriptor(
      opening: "\(directory)/\(log).trail", O_RDWR | O_CREAT, mode: 0o600)
    synced = Mutex(0)
    tail = Tail("\(directory)/\(log).tail")
    let count = try locked { () throws(FileError) in
      try tail.repair()
      let count = try recordCount()
      for number in 1..<(count + 1) where try record(number) == nil {
        guard ftruncate(file.number, off_t((number - 1) * UInt64(Self.recordSize))) == 0 else {
          throw FileError(path: file.path)
        }
        return number - 1
      }
      return count
    }
    synced.withLock { $0 = count }
  }

  /// Returns the position of the last verified entry.
  func head() throws(FileError) -> ChainHead {
    try locked { () throws(FileError) in try lastRecord() }
  }

  /// Returns the position of the entry with a number; nil if this machine has not verified the
  /// entry.
  func head(at number: UInt64) throws(FileError) -> ChainHead? {
    try locked { () throws(FileError) in
      number <= (try recordCount()) ? try record(number) : nil
    }
  }

  /// Returns verified entries; nil if this machine no longer has all of them.
  func entries(_ numbers: ClosedRange<UInt64>) throws(FileError) -> [[UInt8]]? {
    try locked { () throws(FileError) in
      let kept = tail.entries(numbers)
      var entries: [[UInt8]] = []
      for number in numbers {
        let (before, head) = (try record(number - 1), try record(number))
        let entry = kept[number]?.last { bytes in
          head != nil && before.flatMap { EntryChain.head(of: bytes, after: $0) } == head
        }
        guard let entry else { return nil }
        entries.append(entry)
      }
      return entries
    }
  }

  /// Records a verified entry and its sealed bytes.
  ///
  /// - Throws: `LinkError.replacedEntry` if the trail has a different entry with this number.
  func append(_ head: ChainHead, _ entry: [UInt8]) throws {
    try locked {
      let last = try lastRecord()
      guard head.number > last.number else {
        guard try record(head.number) == head else { throw LinkError.replacedEntry(head.number) }
        return
      }
      guard head.number == last.number + 1 else { throw LinkError.unreadEntry(last.number + 1) }
      let bytes = encode(head)
      let count = pwrite(
        file.number, bytes, bytes.count, off_t((head.number - 1) * UInt64(Self.recordSize)))
      guard count == bytes.count else { throw FileError(path: file.path) }
      try tail.append(entry, number: head.number)
    }
  }

  /// Makes the records durable.
  func sync() throws(FileError) {
    let last = try head().number
    guard synced.withLock({ $0 < last }) else { return }
    guard fdatasync(file.number) == 0 else { throw FileError(path: file.path) }
    synced.withLock { $0 = max($0, last) }
  }

  private func locked<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // The threads of this process share one open file. flock(2) does not exclude these threads from
    // each other, so a mutex must.
    try threads.withLock { _ throws(Failure) in
      while flock(file.number, LOCK_EX) != 0, errno == EINTR {}
      defer { flock(file.number, LOCK_UN) }
      return try body()
    }
  }

  private let threads = Mutex(())

  private func recordCount() throws(FileError) -> UInt64 {
    var status = stat()
    guard fstat(file.number, &status) == 0 else { throw FileError(path: file.path) }
    return UInt64(status.st_size) / UInt64(Self.recordSize)
  }

  private func lastRecord() throws(FileError) -> ChainHead {
    let count = try recordCount()
    guard let head = try record(count) else { throw FileError(path: file.path, code: EIO) }
    return head
  }

  /// Reads a record; nil if its checksum is wrong.
  private func record(_ number: UInt64) throws(FileError) -> ChainHead? {
    guard number > 0 else { return start }
    var bytes = [UInt8](repeating: 0, count: Self.recordSize)
    let count = pread(
      file.number, &bytes, bytes.count, off_t((number - 1) * UInt64(Self.recordSize)))
    guard count >= 0 else { throw FileError(path: file.path) }
    let epoch = bytes[32..<36].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    let head = ChainHead(number: number, hash: Array(bytes[..<32]), epoch: epoch)
    return encode(head) == bytes ? head : nil
  }

  private func encode(_ head: ChainHead) -> [UInt8] {
    let body = head.hash + withUnsafeBytes(of: head.epoch.bigEndian, Array.init)
    let number = withUnsafeBytes(of: head.number.bigEndian, Array.init)
    return body + Sodium.hash(log.bytes + number + body).prefix(4)
  }
}
