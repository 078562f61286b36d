/// A value of a record in a damaged database.
enum SalvagedValue: Hashable {
  case null
  case integer(Int64)
  case text([UInt8])
  case blob([UInt8])
}

/// A row of a table in a damaged database.
struct SalvagedRecord {
  /// The key of the row; 0 in a table without row ids.
  let id: Int64
  let values: [SalvagedValue]

  /// Reads the types of the record's values, then the values; nil if the record is invalid.
  ///
  /// Source: <https://sqlite.org/fileformat2.html#record_format>.
  init?(id: Int64, payload: [UInt8]) {
    var reader = PayloadReader(payload)
    guard let headerSize = reader.varint(), headerSize <= payload.count else { return nil }
    var types: [Int64] = []
    while reader.offset < headerSize {
      guard let type = reader.varint() else { return nil }
      types.append(type)
    }
    guard reader.offset == headerSize else { return nil }
    var values: [SalvagedValue] = []
    for type in types {
      guard let value = reader.value(ofType: type) else { return nil }
      values.append(value)
    }
    guard reader.isAtEnd else { return nil }
    (self.id, self.values) = (id, values)
  }
}

/// A reader of integers and values in sequence.
///
/// Each function returns nil at the end of the bytes.
struct PayloadReader {
  private let bytes: [UInt8]
  private(set) var offset: Int

  init(_ bytes: [UInt8], at offset: Int = 0) {
    self.bytes = bytes
    self.offset = offset
  }

  var isAtEnd: Bool { offset == bytes.count }

  /// Returns an integer of one to nine bytes.
  mutating func varint() -> Int64? {
    var number: UInt64 = 0
    for place in 0..<9 {
      guard offset < bytes.count else { return nil }
      let byte = bytes[offset]
      offset += 1
      if place == 8 { return Int64(bitPattern: number << 8 | UInt64(byte)) }
      number = number << 7 | UInt64(byte & 0x7f)
      if byte & 0x80 == 0 { break }
    }
    return Int64(bitPattern: number)
  }

  /// Returns the next bytes.
  mutating func take(_ count: Int) -> [UInt8]? {
    guard count >= 0, count <= bytes.count - offset else { return nil }
    defer { offset += count }
    return Array(bytes[offset..<offset + count])
  }

  fileprivate mutating func value(ofType type: Int64) -> SalvagedValue? {
    switch type {
    case 0: return .null
    case 1...6: return integer([1, 2, 3, 4, 6, 8][Int(type) - 1])
    case 8, 9: return .integer(type - 8)
    // The store's tables have no floating-point columns.
    case ..<12: return nil
    default:
      guard let bytes = take(Int((type - 12) / 2)) else { return nil }
      return type.isMultiple(of: 2) ? .blob(bytes) : .text(bytes)
    }
  }

  private mutating func integer(_ count: Int) -> SalvagedValue? {
    guard let bytes = take(count), let first = bytes.first else { return nil }
    let sign: Int64 = first & 0x80 == 0 ? 0 : -1
    return .integer(bytes.reduce(sign) { $0 << 8 | Int64($1) })
  }
}
