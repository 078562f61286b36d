/// The header of a member of a tar archive: a block of 512 bytes.
///
/// Source: IEEE Std 1003.1, pax, "ustar Interchange Format".
struct TarHeader: Equatable {
  /// The number of bytes of a block.
  static let blockSize = 512
  /// The path in the header; pax records can replace it.
  var path: String
  /// The number of bytes of the content; pax records can replace it.
  var byteCount: Int
  /// The modification time in seconds since 1970.
  var modified = 0
  /// The kind of member.
  var kind: Kind

  /// The kinds of members that a board needs.
  enum Kind: UInt8 {
    /// A regular file.
    case file = 0x30
    case directory = 0x35
    /// pax records for the next member.
    case extended = 0x78
  }

  /// The reason why a header is refused.
  struct Fault: Error, Equatable {
    let words: String
  }

  private enum Field {
    static let path = 0..<100
    static let mode = 100..<108
    static let owner = 108..<116
    static let group = 116..<124
    static let size = 124..<136
    static let time = 136..<148
    static let checksum = 148..<156
    static let kind = 156
    static let magic = 257..<265
    static let prefix = 345..<500
  }

  /// The maximum number of bytes of a path that needs no pax record.
  static let maxPathByteCount = Field.path.count
  /// The largest size and time that need no pax record: 11 octal digits.
  static let maxNumber = 0o777_7777_7777
}

extension TarHeader {
  /// The encoded block.
  ///
  /// A path that is too long is cut, and 0 replaces a number that is too large.
  var block: [UInt8] {
    var block = [UInt8](repeating: 0, count: Self.blockSize)
    func put(_ bytes: some Sequence<UInt8>, in field: Range<Int>) {
      for (index, byte) in zip(field, bytes) { block[index] = byte }
    }
    func put(_ number: Int, in field: Range<Int>) {
      let digits = String(0...Self.maxNumber ~= number ? number : 0, radix: 8)
      let zeros = String(repeating: "0", count: max(field.count - 1 - digits.count, 0))
      put((zeros + digits).utf8, in: field)
    }
    put(path.utf8, in: Field.path)
    put(kind == .directory ? 0o755 : 0o644, in: Field.mode)
    put(0, in: Field.owner)
    put(0, in: Field.group)
    put(byteCount, in: Field.size)
    put(modified, in: Field.time)
    block[Field.kind] = kind.rawValue
    put("ustar\u{0}00".utf8, in: Field.magic)
    put(Self.checksum(of: block), in: Field.checksum)
    return block
  }

  /// Decodes a block that is not empty.
  ///
  /// - Throws: `Fault` if the block is damaged, or the member is neither a file nor a directory.
  init(_ block: [UInt8]) throws(Fault) {
    guard block[Field.magic].starts(with: "ustar".utf8) else {
      throw Fault(words: "not the header of a tar archive")
    }
    guard try Self.number(block[Field.checksum], "checksum") == Self.checksum(of: block) else {
      throw Fault(words: "the checksum of the header is wrong")
    }
    path = Self.text(block[Field.path])
    // Only ustar has a prefix of the path. In the format of GNU tar, this field has other data.
    if block[Field.magic].starts(with: "ustar\0".utf8) {
      let prefix = Self.text(block[Field.prefix])
      if !prefix.isEmpty { path = "\(prefix)/\(path)" }
    }
    let kind = block[Field.kind]
    guard let known = Kind(rawValue: kind == 0 ? Kind.file.rawValue : kind) else {
      throw Fault(words: "\(path): \(Self.name(ofKind: kind)) (expected a regular file)")
    }
    self.kind = known
    byteCount = try Self.number(block[Field.size], "size")
    modified = try Self.number(block[Field.time], "time")
  }

  private static func name(ofKind kind: UInt8) -> String {
    switch Unicode.Scalar(kind) {
    case "1", "2": "a link"
    case "3", "4": "a device"
    case "6": "a named pipe"
    case "S": "a sparse file"
    case "L", "K": "a name in the format of GNU tar"
    case "g": "a global pax header"
    default: "a member of the unknown type \(kind)"
    }
  }

  /// Returns the sum of all bytes.
  ///
  /// Spaces replace the bytes of the checksum.
  private static func checksum(of block: [UInt8]) -> Int {
    block.enumerated().reduce(0) { sum, byte in
      sum + Int(Field.checksum.contains(byte.offset) ? 0x20 : byte.element)
    }
  }

  /// Returns the text of a field.
  ///
  /// The field need not be UTF-8. GNU tar can cut a path within a character; the pax records then
  /// have the whole path.
  private static func text(_ field: ArraySlice<UInt8>) -> String {
    String(decoding: field.prefix { $0 != 0 }, as: UTF8.self)
  }

  private static func number(_ field: ArraySlice<UInt8>, _ name: String) throws(Fault) -> Int {
    let digits = field.drop { $0 == 0x20 }.prefix { $0 != 0 && $0 != 0x20 }
    var number = 0
    for digit in digits {
      guard 0x30...0x37 ~= digit else {
        throw Fault(words: "the \(name) in the header is not an octal number")
      }
      number = number << 3 | Int(digit - 0x30)
    }
    return number
  }
}
