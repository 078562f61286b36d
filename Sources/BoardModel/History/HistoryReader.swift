/// A reader of the binary encodings of the history: numbers, names and rows.
struct HistoryReader {
  /// The upper bound of all numbers, so that a sum of two numbers cannot overflow.
  private static let numberLimit = 1 << 48

  let bytes: [UInt8]
  private(set) var offset = 1

  init(_ bytes: [UInt8], version expected: UInt8) throws(HistoryDamage) {
    guard let version = bytes.first else { throw .cutOff }
    guard version == expected else { throw .unknownVersion(version) }
    self.bytes = bytes
  }

  var isAtEnd: Bool { offset == bytes.count }

  mutating func readByte() throws(HistoryDamage) -> UInt8 {
    guard offset < bytes.count else { throw .cutOff }
    defer { offset += 1 }
    return bytes[offset]
  }

  mutating func readNumber() throws(HistoryDamage) -> Int {
    var number = 0
    var shift = 0
    var byte: UInt8
    repeat {
      byte = try readByte()
      number |= Int(byte & 0x7f) << shift
      shift += 7
    } while byte & 0x80 != 0 && shift < 56
    let isShortest = byte != 0 || shift == 7
    guard byte & 0x80 == 0, isShortest, number < Self.numberLimit else {
      throw .badNumber(offset: offset)
    }
    return number
  }

  mutating func readUInt32() throws(HistoryDamage) -> UInt32 {
    guard let number = UInt32(exactly: try readNumber()) else {
      throw .badNumber(offset: offset)
    }
    return number
  }

  mutating func readPath() throws(HistoryDamage) -> IndexPath {
    IndexPath(section: try readNumber(), row: try readNumber())
  }

  mutating func readFlags() throws(HistoryDamage) -> RowFlags {
    let flags = RowFlags(rawValue: try readByte())
    guard RowFlags.all.isSuperset(of: flags) else { throw .badFlags(offset: offset) }
    return flags
  }

  mutating func readName() throws(HistoryDamage) -> String {
    let count = try readNumber()
    guard count <= bytes.count - offset else { throw .cutOff }
    let text = String(validating: bytes[offset..<offset + count], as: UTF8.self)
    offset += count
    guard let text, let name = try? Name(text) else { throw .badName(offset: offset) }
    return name.text
  }
}

// MARK: Rows

extension HistoryReader {
  mutating func readEntries() throws(HistoryDamage) -> [RowEntry] {
    let count = try readNumber()
    guard count <= (bytes.count - offset) / 8 else { throw .cutOff }
    var entries: [RowEntry] = []
    entries.reserveCapacity(count)
    for _ in 0..<count { entries.append(try readEntry()) }
    return entries
  }

  mutating func readEntry() throws(HistoryDamage) -> RowEntry {
    guard bytes.count - offset >= 8 else { throw .cutOff }
    let number = bytes.withUnsafeBytes { bytes in
      UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
    offset += 8
    let entry = RowEntry(rawValue: number)
    guard entry.row.rawValue < 1 << 54 else { throw .badRow(offset: offset) }
    return entry
  }

  /// Reads a row without its flags.
  mutating func readRow() throws(HistoryDamage) -> RowID {
    let entry = try readEntry()
    guard entry.flags == .initial else { throw .badRow(offset: offset) }
    return entry.row
  }
}
