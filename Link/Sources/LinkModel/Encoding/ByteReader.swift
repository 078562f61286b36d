/// The reason why bytes are not a valid encoding.
public enum EncodingDamage: Error, Hashable, Sendable {
  /// The bytes end before the value is complete.
  case truncated
  /// More bytes follow the value.
  case excess
  /// A number, a text or a code has an invalid value.
  case invalid
  /// A later version of the program wrote the bytes.
  case laterVersion(UInt8)
}

/// A reader of the binary encoding, for bytes from untrusted sources.
public struct ByteReader: Sendable {
  private var rest: ArraySlice<UInt8>

  /// Creates a reader for these bytes.
  public init(_ bytes: some Collection<UInt8>) { rest = ArraySlice(bytes) }

  /// Creates a reader for these bytes, without a copy.
  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  /// The number of unread bytes.
  public var remaining: Int { rest.count }

  /// Throws an error if unread bytes remain.
  public func finish() throws(EncodingDamage) {
    guard rest.isEmpty else { throw .excess }
  }

  /// Reads a byte.
  public mutating func readByte() throws(EncodingDamage) -> UInt8 {
    guard let byte = rest.popFirst() else { throw .truncated }
    return byte
  }

  /// Reads a number, which must have its shortest encoding.
  public mutating func readNumber() throws(EncodingDamage) -> UInt64 {
    var (number, shift): (UInt64, UInt64) = (0, 0)
    while true {
      let byte = try readByte()
      guard shift < 63 || byte <= 1, shift == 0 || byte != 0 else { throw .invalid }
      number |= UInt64(byte & 0x7f) << shift
      if byte < 0x80 { return number }
      shift += 7
      guard shift < 64 else { throw .invalid }
    }
  }

  /// Reads the number of elements of a list.
  ///
  /// Throws an error if the unread bytes are too few for this number of elements of `size` bytes.
  public mutating func readCount(ofSize size: Int = 1) throws(EncodingDamage) -> Int {
    let count = try readNumber()
    guard count <= UInt64(rest.count / size) else { throw .truncated }
    return Int(count)
  }

  /// Reads the number of bytes, then the bytes.
  public mutating func readData() throws(EncodingDamage) -> [UInt8] {
    try read(fixed: try readCount())
  }

  /// Reads `count` bytes.
  public mutating func read(fixed count: Int) throws(EncodingDamage) -> [UInt8] {
    guard count <= rest.count else { throw .truncated }
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }

  /// Reads a text of at most `max` bytes.
  public mutating func readText(max: Int) throws(EncodingDamage) -> String {
    let bytes = try readData()
    guard bytes.count <= max, let text = String(validating: bytes, as: UTF8.self) else {
      throw .invalid
    }
    return text
  }

  /// Reads a key.
  public mutating func readKey<Subject>() throws(EncodingDamage) -> Key<Subject> {
    let bytes = try read(fixed: 16)
    func word(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
    return Key(word(bytes[..<8]), word(bytes[8...]))
  }

  /// Reads a key or nil.
  public mutating func readOptionalKey<Subject>() throws(EncodingDamage) -> Key<Subject>? {
    switch try readByte() {
    case 0: nil
    case 1: try readKey()
    default: throw .invalid
    }
  }
}
