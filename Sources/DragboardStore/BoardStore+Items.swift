public import BoardModel
internal import Glibc

extension BoardStore {
  /// Stores what a new row holds.
  ///
  /// The row itself comes with what is saved of its board.
  public func insert(_ row: RowID, _ item: StoredItem) throws(StoreError) {
    try check(item)
    try write { () throws(SQLiteError) in try store(item, for: row) }
  }

  /// Stores what a row holds in place of what it held.
  public func replaceItem(_ row: RowID, with item: StoredItem) throws(StoreError) {
    try check(item)
    try write { () throws(SQLiteError) in
      try deleteRepresentations(of: row)
      try store(item, for: row)
    }
  }

  /// What the row holds, but for the bytes, of which nothing is read; nil for a row that is not stored.
  public func item(_ row: RowID) throws(StoreError) -> ItemInfo? {
    let (first, last) = RepresentationKey.range(of: row)
    var item: ItemInfo?
    try read { () throws(SQLiteError) in
      try statements.item.forEach(first, last) { row in
        if item == nil { item = ItemInfo(row) }
        item?.representations.append(ItemInfo.Representation(row))
      }
    }
    return item
  }

  /// What `body` makes of the bytes of a representation, by its place in the order of fidelity; nil where there
  /// is none there.
  ///
  /// The bytes are gone when it returns.
  public func withData<Result>(
    of row: RowID, at place: Int, _ body: (UnsafeRawBufferPointer) -> Result
  ) throws(StoreError) -> Result? {
    guard RepresentationKey.places ~= place else { return nil }
    return try read { () throws(SQLiteError) in
      try statements.content.first(RepresentationKey.of(row, at: place)) { body($0.bytes(0)) }
    }
  }

  /// The bytes of a representation, by its place in the order of fidelity; nil where there is none there.
  public func data(of row: RowID, at place: Int) throws(StoreError) -> [UInt8]? {
    try withData(of: row, at: place) { Array($0) }
  }

  /// The row's plain text, the first in the order of fidelity; nil where it has none.
  ///
  /// - Parameters:
  ///   - row: whose text.
  ///   - limit: where the text has more bytes, those that make whole characters (Unicode scalars) at its beginning are given, and no
  ///     more is read than that.
  ///   - isPlainText: whether a type other than ``StoredRepresentation/plainText`` is plain text, too; asked of text/plain with
  ///     parameters alone.
  /// - Returns: nil where it has none.
  /// - Throws: `StoreError`.
  public func text(
    of row: RowID, limit: Int = .max, where isPlainText: (String) -> Bool = { _ in false }
  ) throws(StoreError) -> String? {
    let (first, last) = RepresentationKey.range(of: row)
    return try read { () throws(SQLiteError) in
      var found: (key: Int64, text: String?)?
      try statements.text.forEach(first, last, Int64(limit)) { row in
        guard found == nil, row.text(1).map(isPlainText) ?? true else { return }
        found = (row.integer(0), row.text(2))
      }
      guard let found, found.text == nil else { return found?.text }
      let start = try database.blobPrefix(
        table: "representation", column: "data", id: found.key, count: max(0, limit))
      return String(decoding: start.droppingCutScalar, as: UTF8.self)
    }
  }
}

/// What a representation is called in the database: its row, and its place in the order of fidelity.
enum RepresentationKey {
  /// The places that there are.
  static let places = 0..<256

  /// The key of one representation, whose place there is.
  static func of(_ row: RowID, at place: Int) -> Int64 {
    Int64(bitPattern: row.rawValue << 8) | Int64(place)
  }

  /// The lowest and the highest key that a representation of the row can have.
  static func range(of row: RowID) -> (Int64, Int64) {
    (of(row, at: places.lowerBound), of(row, at: places.upperBound - 1))
  }
}

extension BoardStore {
  func deleteRepresentations(of row: RowID) throws(SQLiteError) {
    let (first, last) = RepresentationKey.range(of: row)
    try statements.deleteRepresentations.run(first, last)
  }

  private func check(_ item: StoredItem) throws(StoreError) {
    let count = item.representations.count
    guard 1...RepresentationKey.places.count ~= count else {
      throw .badItem(
        "it has \(count) representations; right is 1 to \(RepresentationKey.places.count)")
    }
  }

  private func store(_ item: StoredItem, for row: RowID) throws(SQLiteError) {
    for (place, representation) in item.representations.enumerated() {
      let key = RepresentationKey.of(row, at: place)
      try representation.content.withBytes { data throws(SQLiteError) in
        guard place == 0 else { return try store(representation, data, key: key) }
        try storeFirst(of: item, representation, data, key: key)
      }
    }
  }

  private func storeFirst(
    of item: StoredItem, _ representation: StoredRepresentation, _ data: UnsafeRawBufferPointer,
    key: Int64
  ) throws(SQLiteError) {
    let isPreview = item.preview.utf8.span.bytes.withUnsafeBytes { $0.hasSameBytes(as: data) }
    try statements.insertRepresentation.run(
      key, representation.storedType, item.created, item.source, item.name,
      isPreview ? nil : item.preview, data)
  }

  private func store(
    _ representation: StoredRepresentation, _ data: UnsafeRawBufferPointer, key: Int64
  ) throws(SQLiteError) {
    let none: String? = nil
    try statements.insertRepresentation.run(
      key, representation.storedType, Int64?.none, none, none, none, data)
  }
}

extension UnsafeRawBufferPointer {
  fileprivate func hasSameBytes(as other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count else { return false }
    guard let start = baseAddress, let otherStart = other.baseAddress else { return true }
    return memcmp(start, otherStart, count) == 0
  }
}

extension StoredRepresentation {
  /// NULL for plain text, which is what most rows have.
  fileprivate var storedType: String? { type == Self.plainText ? nil : type }
}

extension StoredContent {
  /// Shows the bytes where they are.
  fileprivate func withBytes<Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Void
  ) throws(Failure) {
    switch self {
    case .bytes(let bytes):
      try bytes.span.bytes.withUnsafeBytes(body)
    case .text(let text):
      try text.utf8.span.bytes.withUnsafeBytes(body)
    }
  }
}

extension ItemInfo {
  /// Reads the first row of the statement `item`.
  fileprivate init(_ row: Row) {
    created = row.integer(2)
    source = row.text(3) ?? ""
    name = row.text(4)
    preview = row.text(5) ?? ""
    representations = []
  }
}

extension ItemInfo.Representation {
  /// Reads any row of the statement `item`.
  fileprivate init(_ row: Row) {
    type = row.text(0) ?? StoredRepresentation.plainText
    byteCount = Int(row.integer(1))
  }
}

extension [UInt8] {
  /// The bytes without the beginning of a UTF-8 sequence that is not whole at the end.
  fileprivate var droppingCutScalar: ArraySlice<UInt8> {
    guard let lead = indices.suffix(4).last(where: { self[$0] & 0xC0 != 0x80 }) else {
      return self[...]
    }
    let length = self[lead] < 0x80 ? 1 : self[lead] < 0xE0 ? 2 : self[lead] < 0xF0 ? 3 : 4
    return lead + length > count ? self[..<lead] : self[...]
  }
}
