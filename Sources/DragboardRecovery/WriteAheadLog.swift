internal import Files
internal import Glibc

/// The committed pages of a write-ahead log.
///
/// Source: <https://sqlite.org/fileformat2.html#the_write_ahead_log>.
struct WriteAheadLog: ~Copyable {
  /// The offset of the latest version of each page, by page number.
  private(set) var pages: [Int: Int] = [:]

  private let file: FileDescriptor?
  private static let headerSize = 32
  private static let frameHeaderSize = 24

  /// Reads a log up to the last commit.
  ///
  /// A damaged log is read up to the damage; a missing log is empty.
  init(_ path: String) {
    file = try? FileDescriptor(opening: path, O_RDONLY)
    guard let header = file?.read(Self.headerSize, at: 0), header.count == Self.headerSize,
      header.bigEndian32(at: 0) | 1 == 0x377f_0683,
      header.bigEndian32(at: 8) == PageImage.pageSize
    else { return }
    var sum = Checksum(isBigEndian: header[3] & 1 == 1)
    sum.add(header[..<24])
    guard sum.equals(header, at: 24) else { return }
    pages = file.map { Self.pages(of: $0, salts: header[16..<24], sum) } ?? [:]
  }

  private static func pages(
    of file: FileDescriptor, salts: ArraySlice<UInt8>, _ start: Checksum
  ) -> [Int: Int] {
    var pages: [Int: Int] = [:]
    var sum = start
    var open: [Int: Int] = [:]
    var offset = headerSize
    let size = frameHeaderSize + PageImage.pageSize
    while let frame = file.read(size, at: offset), frame.count == size, frame[8..<16] == salts {
      sum.add(frame[..<8])
      sum.add(frame[frameHeaderSize...])
      guard sum.equals(frame, at: 16) else { break }
      open[frame.bigEndian32(at: 0)] = offset + frameHeaderSize
      offset += size
      let isCommit = frame.bigEndian32(at: 4) != 0
      guard isCommit else { continue }
      pages.merge(open) { $1 }
      pages[0] = nil
      open = [:]
    }
    return pages
  }

  /// Returns the last committed version of a page; nil if the log does not have the page.
  func page(_ number: Int) -> [UInt8]? {
    pages[number].flatMap { file?.read(PageImage.pageSize, at: $0) }
      .flatMap { $0.count == PageImage.pageSize ? $0 : nil }
  }
}

/// The running checksum of a log.
private struct Checksum {
  let isBigEndian: Bool
  private var first: UInt32 = 0
  private var second: UInt32 = 0

  init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

  /// Adds bytes, eight at a time.
  mutating func add(_ bytes: ArraySlice<UInt8>) {
    bytes.withUnsafeBytes { bytes in
      for offset in stride(from: 0, to: bytes.count, by: 8) {
        first &+= word(bytes, offset) &+ second
        second &+= word(bytes, offset + 4) &+ first
      }
    }
  }

  private func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt32 {
    let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
    return isBigEndian ? UInt32(bigEndian: word) : UInt32(littleEndian: word)
  }

  func equals(_ bytes: [UInt8], at offset: Int) -> Bool {
    Int(first) == bytes.bigEndian32(at: offset) && Int(second) == bytes.bigEndian32(at: offset + 4)
  }
}
