internal import Files
internal import Glibc
internal import LinkModel

/// The latest sealed entries of a log.
///
/// If the server loses them, this machine can restore them.
///
/// A server acknowledges an entry up to two minutes before it syncs the entry to its disk. A power
/// cut in between loses the entry.
///
/// The entries are in two files of up to 32 MiB. When the newer file is full, it replaces the older
/// file. A record is: number of the entry (8 bytes), number of its bytes (4), checksum (4), bytes
/// of the entry. The files are not synced, because entries are lost only if the power of the server
/// and of all machines fails. The lock of the `Trail` also protects these files.
struct Tail: Sendable {
  private static let maxBytes = 32 << 20
  private static let headerSize = 16

  private let path: String
  private var older: String { path + ".old" }

  init(_ path: String) { self.path = path }

  /// Removes an incomplete record at the end, which a power cut can leave.
  func repair() throws(FileError) {
    guard access(path, F_OK) == 0 else { return }
    let end = Self.scan(path) { _, _ in }
    guard truncate(path, off_t(end)) == 0 else { throw FileError(path: path) }
  }

  func append(_ bytes: [UInt8], number: UInt64) throws(FileError) {
    let file = try FileDescriptor(opening: path, O_WRONLY | O_CREAT | O_APPEND, mode: 0o600)
    let record = Self.header(bytes[...], number) + bytes
    try file.write(record)
    guard try file.byteCount() >= Self.maxBytes else { return }
    guard rename(path, older) == 0 else { throw FileError(path: path) }
  }

  /// Returns the stored entries with these numbers.
  ///
  /// A number can have several different entries.
  func entries(_ numbers: ClosedRange<UInt64>) -> [UInt64: [[UInt8]]] {
    var entries: [UInt64: [[UInt8]]] = [:]
    for path in [older, path] {
      _ = Self.scan(path) { number, bytes in
        if numbers.contains(number) { entries[number, default: []].append(Array(bytes)) }
      }
    }
    return entries
  }

  /// Calls `body` with each complete record of a file; returns the offset after the last of them.
  private static func scan(_ path: String, _ body: (UInt64, ArraySlice<UInt8>) -> Void) -> Int {
    guard let file = try? FileDescriptor(opening: path, O_RDONLY),
      let count = try? file.byteCount(), let bytes = file.read(count, at: 0)
    else { return 0 }
    var end = 0
    while bytes.count - end >= headerSize {
      let header = bytes[end..<end + headerSize]
      let number = header.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      let count = header.dropFirst(8).prefix(4).reduce(0) { $0 << 8 | Int($1) }
      guard bytes.count - end - headerSize >= count else { break }
      let record = bytes[end + headerSize..<end + headerSize + count]
      guard self.header(record, number) == Array(header) else { break }
      body(number, record)
      end += headerSize + count
    }
    return end
  }

  private static func header(_ bytes: ArraySlice<UInt8>, _ number: UInt64) -> [UInt8] {
    let header =
      withUnsafeBytes(of: number.bigEndian, Array.init)
      + withUnsafeBytes(of: UInt32(bytes.count).bigEndian, Array.init)
    return header + Sodium.hash(header + bytes).prefix(4)
  }
}
