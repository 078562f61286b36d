internal import CSQLite
public import SQLite

/// The unique id of a content: 32 random bytes.
public struct ContentID: Hashable, Sendable {
  /// The number of bytes of an id.
  package static let byteCount = 32

  /// The bytes of the id.
  public let bytes: [UInt8]

  /// Creates a random id.
  init() {
    var generator = SystemRandomNumberGenerator()
    bytes = (0..<Self.byteCount).map { _ in generator.next() }
  }

  /// Creates an id from 32 bytes; nil for any other number of bytes.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count == Self.byteCount else { return nil }
    self.bytes = bytes
  }

  /// Parses the name of a content's file: 64 lowercase hexadecimal digits; nil for any other
  /// string.
  package init?(hex: String) {
    let digits = hex.utf8.compactMap(Self.value(ofDigit:))
    guard hex.utf8.count == 2 * Self.byteCount, digits.count == hex.utf8.count else { return nil }
    bytes = stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }

  private static func value(ofDigit digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}

extension ContentID: CustomStringConvertible {
  /// The id as 64 lowercase hexadecimal digits.
  public var description: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}

/// SQLite copies the bytes of an id.
extension ContentID: Bindable {
  /// Binds the id, and returns SQLite's result code.
  public func bind(to statement: OpaquePointer, at position: Int32) -> Int32 {
    bytes.withUnsafeBytes {
      sqlite3_bind_blob64(
        statement, position, $0.baseAddress, UInt64($0.count), CSQLITE_TRANSIENT)
    }
  }
}
