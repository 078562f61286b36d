internal import Files
internal import Glibc

/// The pages of a database and of its log, read without SQLite.
///
/// A page of the log takes precedence over the same page of the database. SQLite may refuse a
/// database although most of its pages can be read.
///
/// Source: <https://sqlite.org/fileformat2.html>. All databases of the store have pages of 4 KiB.
final class PageImage {
  /// The number of bytes of a page.
  static let pageSize = 4096

  /// The highest page number; pages are numbered from 1.
  let count: Int

  /// The numbers of the pages that are in the file or the log, in order.
  ///
  /// Other pages up to `count` cannot be read.
  let numbers: [Int]

  private let file: FileDescriptor
  private let log: WriteAheadLog

  /// Opens the file, and its log if there is one, without changing them.
  init(database path: String) throws(FileError) {
    file = try FileDescriptor(opening: path, O_RDONLY)
    log = WriteAheadLog(path + "-wal")
    let inFile = try file.byteCount() / Self.pageSize
    let inLog = log.pages.keys.filter { $0 > inFile }.sorted()
    numbers = Array(1..<inFile + 1) + inLog
    count = numbers.last ?? 0
  }

  /// Returns the bytes of a page; nil if they cannot be read.
  func page(_ number: Int) -> [UInt8]? {
    if let page = log.page(number) { return page }
    guard 1...max(1, count) ~= number else { return nil }
    let page = file.read(Self.pageSize, at: (number - 1) * Self.pageSize)
    return page?.count == Self.pageSize ? page : nil
  }

  /// Returns the numbers of the free pages, which may still contain old rows; nil if the free list
  /// is damaged.
  func freePages() -> Set<Int>? {
    guard let header = page(1) else { return nil }
    let count = header.bigEndian32(at: 36)
    var trunk = header.bigEndian32(at: 32)
    var free: Set<Int> = []
    while trunk != 0 {
      guard let page = page(trunk), free.insert(trunk).inserted, free.count <= count else {
        return nil
      }
      let leaves = page.bigEndian32(at: 4)
      guard leaves <= Self.pageSize / 4 - 2 else { return nil }
      for leaf in 0..<leaves {
        let number = page.bigEndian32(at: 8 + 4 * leaf)
        guard 2...max(2, self.count) ~= number, free.insert(number).inserted else { return nil }
      }
      trunk = page.bigEndian32(at: 0)
    }
    return free.count == count ? free : nil
  }
}

extension [UInt8] {
  /// Returns the integer in two bytes, which must exist.
  func bigEndian16(at offset: Int) -> Int { Int(self[offset]) << 8 | Int(self[offset + 1]) }

  /// Returns the integer in four bytes, which must exist.
  func bigEndian32(at offset: Int) -> Int {
    bigEndian16(at: offset) << 16 | bigEndian16(at: offset + 2)
  }
}
