/// A leaf page or interior page of a B-tree in a damaged database.
///
/// Source: <https://sqlite.org/fileformat2.html#b_tree_pages>.
struct BTreePage {
  /// The kind of the page.
  enum Kind: UInt8 {
    case indexInterior = 2
    case tableInterior = 5
    case indexLeaf = 10
    case tableLeaf = 13
  }

  let kind: Kind
  /// The number of rows that cannot be decoded.
  private(set) var damaged = 0
  /// The decoded rows.
  ///
  /// An interior page of a table has none.
  private(set) var records: [SalvagedRecord] = []
  /// The numbers of the overflow pages of its rows.
  private(set) var overflow: [Int] = []
  /// The numbers of the child pages.
  private(set) var children: [Int] = []

  private let number: Int
  private let page: [UInt8]

  /// Reads a page; nil if it is a page of another kind.
  init?(_ number: Int, of image: PageImage) {
    guard let page = image.page(number) else { return nil }
    let start = number == 1 ? 100 : 0
    guard let kind = Kind(rawValue: page[start]) else { return nil }
    (self.kind, self.number, self.page) = (kind, number, page)
    let isInterior = kind == .indexInterior || kind == .tableInterior
    let count = page.bigEndian16(at: start + 3)
    let pointers = start + (isInterior ? 12 : 8)
    guard pointers + 2 * count <= page.count else { return nil }
    if isInterior { children.append(page.bigEndian32(at: start + 8)) }
    for cell in 0..<count {
      let offset = page.bigEndian16(at: pointers + 2 * cell)
      guard offset >= pointers + 2 * count, offset + 4 <= page.count else {
        damaged += 1
        continue
      }
      read(at: offset, isInterior: isInterior, image)
    }
  }

  private mutating func read(at offset: Int, isInterior: Bool, _ image: PageImage) {
    if isInterior { children.append(page.bigEndian32(at: offset)) }
    guard kind != .tableInterior else { return }
    guard let record = record(at: offset + (isInterior ? 4 : 0), image) else {
      damaged += 1
      return
    }
    records.append(record)
  }

  private mutating func record(at offset: Int, _ image: PageImage) -> SalvagedRecord? {
    var reader = PayloadReader(page, at: offset)
    guard let size = reader.varint(), 1...Int64(image.numbers.count * PageImage.pageSize) ~= size
    else {
      return nil
    }
    var id: Int64 = 0
    if kind == .tableLeaf {
      guard let number = reader.varint() else { return nil }
      id = number
    }
    let local = Self.localSize(of: Int(size), isTable: kind == .tableLeaf)
    guard var payload = reader.take(local) else { return nil }
    if local < size {
      guard let pointer = reader.take(4) else { return nil }
      guard append(to: &payload, upTo: Int(size), pointer.bigEndian32(at: 0), image) else {
        return nil
      }
    }
    return SalvagedRecord(id: id, payload: payload)
  }

  /// Appends the part of a row that is on overflow pages.
  ///
  /// Returns false if a page cannot be read.
  private mutating func append(
    to payload: inout [UInt8], upTo size: Int, _ first: Int, _ image: PageImage
  ) -> Bool {
    payload.reserveCapacity(size)
    var next = first
    while payload.count < size {
      guard next != number, let page = image.page(next) else { return false }
      overflow.append(next)
      payload.append(contentsOf: page[4...].prefix(size - payload.count))
      next = page.bigEndian32(at: 0)
    }
    return true
  }

  /// Returns the number of bytes of a row that are on the B-tree page.
  private static func localSize(of size: Int, isTable: Bool) -> Int {
    let usable = PageImage.pageSize
    let most = isTable ? usable - 35 : (usable - 12) * 64 / 255 - 23
    guard size > most else { return size }
    let least = (usable - 12) * 32 / 255 - 23
    let local = least + (size - least) % (usable - 4)
    return local <= most ? local : least
  }
}
