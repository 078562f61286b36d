/// A writer of the binary encoding.
///
/// A number is encoded in LEB128. A text is encoded as its number of bytes, followed by its bytes
/// in UTF-8. A key is encoded as 16 bytes, most significant first.
public struct ByteWriter: Sendable {
  /// The bytes written so far.
  public private(set) var bytes: [UInt8] = []

  /// Creates an empty writer.
  public init() {}

  /// Writes a byte.
  public mutating func write(byte: UInt8) { bytes.append(byte) }

  /// Writes a number.
  public mutating func write(_ number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  /// Writes a number, which must not be negative.
  public mutating func write(_ number: Int) { write(UInt64(number)) }

  /// Writes the number of bytes, then the bytes.
  public mutating func write(_ data: [UInt8]) {
    write(data.count)
    bytes += data
  }

  /// Writes a text.
  public mutating func write(_ text: String) {
    write(text.utf8.count)
    bytes += text.utf8
  }

  /// Writes bytes without their number; the reader must know it.
  public mutating func write(fixed data: some Sequence<UInt8>) { bytes += data }

  /// Writes a key.
  public mutating func write<Subject>(_ key: Key<Subject>) {
    for word in [key.high, key.low] {
      withUnsafeBytes(of: word.bigEndian) { bytes.append(contentsOf: $0) }
    }
  }

  /// Writes a key or nil.
  public mutating func write<Subject>(_ key: Key<Subject>?) {
    write(byte: key == nil ? 0 : 1)
    if let key { write(key) }
  }
}
