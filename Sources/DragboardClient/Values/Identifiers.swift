/// The id of an item, good for ever and never used twice: a UUID.
///
/// 16 bytes, so that a mirror of a large board stays small.
public struct ItemID: Hashable, Sendable {
  private let high: UInt64
  private let low: UInt64

  /// Reads an id as the daemon writes it, 36 characters; nil for any other text.
  ///
  /// Upper-case digits are taken for lower-case ones.
  public init?(_ text: String) {
    guard text.utf8.count == 36 else { return nil }
    var (high, low): (UInt64, UInt64) = (0, 0)
    for (index, byte) in text.utf8.enumerated() {
      if Self.hyphens.contains(index) {
        guard byte == UInt8(ascii: "-") else { return nil }
        continue
      }
      guard let digit = hexadecimalValue(of: byte) else { return nil }
      (high, low) = (high << 4 | low >> 60, low << 4 | digit)
    }
    self.high = high
    self.low = low
  }

  private static let hyphens = [8, 13, 18, 23]
}

/// The value of a hexadecimal digit; nil for any other byte.
private func hexadecimalValue(of byte: UInt8) -> UInt64? {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0"))
  case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(byte - UInt8(ascii: "a") + 10)
  case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(byte - UInt8(ascii: "A") + 10)
  default: nil
  }
}

extension ItemID: CustomStringConvertible, Comparable {
  /// The id as the daemon writes it: 36 characters, lower case.
  public var description: String {
    var text = ""
    text.reserveCapacity(36)
    for nibble in 0..<32 {
      if [8, 12, 16, 20].contains(nibble) { text += "-" }
      let half = nibble < 16 ? high : low
      text += String(half >> UInt64(60 - nibble % 16 * 4) & 0xF, radix: 16)
    }
    return text
  }

  /// The order of the texts.
  public static func < (left: ItemID, right: ItemID) -> Bool {
    (left.high, left.low) < (right.high, right.low)
  }
}

/// The id of a board, its object path; it stays the same if the board is renamed.
public struct BoardID: Hashable, Sendable, CustomStringConvertible {
  /// The object path, `/org/dragboard/Dragboard1/board/default`.
  public let path: String

  init(path: String) { self.path = path }

  /// The object path.
  public var description: String { path }
}

/// A drag session, known by its number, which is never used twice.
public struct SessionID: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The number at the end of the session's object path.
  public let number: UInt64

  /// The session of that number, whether or not there is one.
  public init(_ number: UInt64) { self.number = number }

  /// The number.
  public var description: String { "\(number)" }

  /// The session that began earlier comes first.
  public static func < (left: SessionID, right: SessionID) -> Bool { left.number < right.number }
}

/// A view of a board, known by its number, which is never used twice.
public struct ViewID: Hashable, Sendable, CustomStringConvertible {
  /// The number at the end of the view's object path.
  public let number: UInt64

  /// The view of that number, whether or not there is one.
  public init(_ number: UInt64) { self.number = number }

  /// The number.
  public var description: String { "\(number)" }
}
