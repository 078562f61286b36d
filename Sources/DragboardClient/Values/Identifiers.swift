internal import Text

/// The id of an item: a UUID that never changes and is never used again.
///
/// It occupies 16 bytes, so that a mirror of a large board stays small.
public struct ItemID: Hashable, Sendable {
  private let high: UInt64
  private let low: UInt64

  /// Parses an id of 36 characters, as the daemon writes it; nil for any other text.
  ///
  /// Upper-case and lower-case digits are equal.
  public init?(_ text: String) {
    // A large board has many ids, so their bytes are read without an iterator.
    var text = text
    guard let (high, low) = text.withUTF8(Self.numbers) else { return nil }
    self.high = high
    self.low = low
  }

  private static func numbers(in text: UnsafeBufferPointer<UInt8>) -> (UInt64, UInt64)? {
    guard text.count == 36 else { return nil }
    var (high, low): (UInt64, UInt64) = (0, 0)
    for index in 0..<36 {
      let byte = text[index]
      if isHyphen(index) {
        guard byte == UInt8(ascii: "-") else { return nil }
        continue
      }
      guard let digit = Hexadecimal.value(of: byte) else { return nil }
      (high, low) = (high << 4 | low >> 60, low << 4 | UInt64(digit))
    }
    return (high, low)
  }

  private static func isHyphen(_ index: Int) -> Bool {
    index == 8 || index == 13 || index == 18 || index == 23
  }
}

extension ItemID: CustomStringConvertible, Comparable {
  /// The id as the daemon writes it: 36 characters, lower case.
  public var description: String {
    String(unsafeUninitializedCapacity: 36) { text in
      var index = 0
      for number in [high, low] {
        for shift in stride(from: 60, through: 0, by: -4) {
          if Self.isHyphen(index) {
            text[index] = UInt8(ascii: "-")
            index += 1
          }
          let digit = UInt8(truncatingIfNeeded: number >> UInt64(shift)) & 0xF
          text[index] = digit + (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
          index += 1
        }
      }
      return index
    }
  }

  /// Orders ids as their texts.
  public static func < (left: ItemID, right: ItemID) -> Bool {
    (left.high, left.low) < (right.high, right.low)
  }
}

/// The id of a board: its object path, which does not change if the board is renamed.
public struct BoardID: Hashable, Sendable, CustomStringConvertible {
  /// The object path, such as `/org/dragboard/Dragboard1/board/default`.
  public let path: String

  init(path: String) { self.path = path }

  /// The object path.
  public var description: String { path }
}

/// The id of a drag session: a number that is never used again.
public struct SessionID: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The number at the end of the session's object path.
  public let number: UInt64

  /// Creates the id of a session, which need not exist.
  public init(_ number: UInt64) { self.number = number }

  /// The number.
  public var description: String { "\(number)" }

  /// Orders sessions by the time they began, the oldest first.
  public static func < (left: SessionID, right: SessionID) -> Bool { left.number < right.number }
}

/// The id of a view of a board: a number that is never used again.
public struct ViewID: Hashable, Sendable, CustomStringConvertible {
  /// The number at the end of the view's object path.
  public let number: UInt64

  /// Creates the id of a view, which need not exist.
  public init(_ number: UInt64) { self.number = number }

  /// The number.
  public var description: String { "\(number)" }
}
