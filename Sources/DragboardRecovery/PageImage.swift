internal import Files
internal import Glibc

/// The pages of a database, those of its log in place of older ones, read without SQLite: what makes no sense to it
/// may make sense page by page.
///
/// Source: <https://sqlite.org/fileformat2.html>. All databases of ours have pages of 4 KiB.
final class PageImage {
  /// The number of bytes of a page.
  static let pageSize = 4096

  /// The highest number of a page; the first one is called 1.
  let count: Int

  /// The pages that the file or the log has, in order; nothing is there of others before `count`.
  let numbers: [Int]

  private let file: FileDescriptor
  private let log: WriteAheadLog

  /// Opens the file and, where there is one, its log; neither is changed.
  init(database path: String) throws(FileError) {
    file = try FileDescriptor(opening: path, O_RDONLY)
    log = WriteAheadLog(path + "-wal")
    let inFile = try file.byteCount() / Self.pageSize
    let inLog = log.pages.keys.filter { $0 > inFile }.sorted()
    numbers = Array(1..<inFile + 1) + inLog
    count = numbers.last ?? 0
  }

  /// A page's bytes; nil where they cannot be read.
  func page(_ number: Int) -> [UInt8]? {
    if let page = log.page(number) { return page }
    guard 1...max(1, count) ~= number else { return nil }
    let page = file.read(Self.pageSize, at: (number - 1) * Self.pageSize)
    return page?.count == Self.pageSize ? page : nil
  }

  /// The pages that hold nothing any more, in which old rows may still stand; nil where the list of them is damaged.
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
  /// The number in two bytes there, which are.
  func bigEndian16(at offset: Int) -> Int { Int(self[offset]) << 8 | Int(self[offset + 1]) }

  /// The number in four bytes there, which are.
  func bigEndian32(at offset: Int) -> Int {
    bigEndian16(at: offset) << 16 | bigEndian16(at: offset + 2)
  }
}
