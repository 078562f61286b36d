/// The keys and the rows of a board by their numbers.
///
/// The rows are in the encoding of the log, which needs a third of the memory, and 64 of them share an array.
/// Copies of a table share these arrays, so a table with many rows is copied and changed in some microseconds.
struct EncodedRows: Sendable {
  /// The rows with consecutive numbers.
  private struct Part: Sendable {
    private var entries: [Entry] = []
    /// The encoded rows.
    private var bytes: [UInt8] = []

    private struct Entry: Sendable {
      var key: RowKey
      /// The end of the row in `bytes`.
      var end: UInt32
    }

    func key(of index: Int) -> RowKey { entries[index].key }

    mutating func setKey(of index: Int, to key: RowKey) { entries[index].key = key }

    private func range(of index: Int) -> Range<Int> {
      (index == 0 ? 0 : Int(entries[index - 1].end))..<Int(entries[index].end)
    }

    func bytes(of index: Int) -> ArraySlice<UInt8> { bytes[range(of: index)] }

    mutating func append(_ key: RowKey, _ row: [UInt8]) {
      if entries.isEmpty { entries.reserveCapacity(partSize) }
      bytes += row
      entries.append(Entry(key: key, end: UInt32(bytes.count)))
      // A full part gets no more rows.
      if entries.count == partSize { bytes.setCapacity(bytes.count) }
    }

    mutating func replace(_ index: Int, by row: [UInt8]) {
      let (old, oldBytes) = (range(of: index), bytes)
      guard !oldBytes[old].elementsEqual(row) else { return }
      bytes = []
      bytes.reserveCapacity(oldBytes.count - old.count + row.count)
      bytes += oldBytes[..<old.lowerBound]
      bytes += row
      bytes += oldBytes[old.upperBound...]
      for later in index..<entries.count {
        entries[later].end = UInt32(Int(entries[later].end) - old.count + row.count)
      }
    }
  }

  private static var partSize: Int { 64 }

  private var parts: [Part] = []
  /// The number that is one higher than the highest number of a row so far.
  private(set) var endNumber = 0

  /// Returns the key of the row with a number.
  func key(of number: Int) -> RowKey {
    parts[number / Self.partSize].key(of: number % Self.partSize)
  }

  /// Returns the encoded row with a number.
  func bytes(of number: Int) -> ArraySlice<UInt8> {
    parts[number / Self.partSize].bytes(of: number % Self.partSize)
  }

  subscript(number: Int) -> SharedRow {
    var reader = ByteReader(bytes(of: number))
    // Only `set` makes the bytes, and they are never stored or received.
    guard let row = try? reader.readKnownRow() else {
      preconditionFailure("the bytes are those of a row")
    }
    return row
  }

  /// Sets the row with a number, which is at most `endNumber`.
  mutating func set(_ number: Int, to row: SharedRow, _ key: RowKey) {
    var writer = ByteWriter()
    writer.write(row)
    set(number, to: writer.bytes, key)
  }

  /// Removes the row with a number, which can be used again.
  mutating func remove(_ number: Int) { set(number, to: [], RowKey(0, 0)) }

  mutating func setKey(of number: Int, to key: RowKey) {
    parts[number / Self.partSize].setKey(of: number % Self.partSize, to: key)
  }

  private mutating func set(_ number: Int, to row: [UInt8], _ key: RowKey) {
    let (part, index) = number.quotientAndRemainder(dividingBy: Self.partSize)
    guard number == endNumber else {
      parts[part].setKey(of: index, to: key)
      return parts[part].replace(index, by: row)
    }
    if index == 0 { parts.append(Part()) }
    parts[part].append(key, row)
    endNumber += 1
  }
}
