/// Text that D-Bus strings can carry.
public enum WireText {
  /// Returns the text with U+FFFD for each U+0000 and each noncharacter.
  ///
  /// D-Bus cannot carry U+0000, and clients on sd-bus reject a message with a noncharacter. A text
  /// without them is returned without a copy.
  ///
  /// - Complexity: O(*n*), eight bytes at a time in ASCII.
  public static func sanitized(_ text: String) -> String {
    var text = text
    guard !text.withUTF8(isFit) else { return text }
    return text.withUTF8 { utf8 in
      var fit: [UInt8] = []
      fit.reserveCapacity(utf8.count)
      appendFit(UnsafeRawBufferPointer(utf8), to: &fit)
      return String(decoding: fit, as: UTF8.self)
    }
  }

  /// Appends valid text, with U+FFFD for U+0000 and noncharacters.
  private static func appendFit(_ bytes: UnsafeRawBufferPointer, to fit: inout [UInt8]) {
    var (start, index) = (0, 0)
    while index < bytes.count {
      guard isUnfit(bytes, at: index) else {
        index += 1
        continue
      }
      fit.append(contentsOf: bytes[start..<index])
      fit.append(contentsOf: [0xEF, 0xBF, 0xBD])
      index += UTF8Check.length(ofSequenceAfter: bytes[index])
      start = index
    }
    fit.append(contentsOf: bytes[start...])
  }

  /// Returns the offset of the first byte that is not part of well-formed UTF-8; nil if all bytes
  /// are.
  ///
  /// - Complexity: O(*n*)
  public static func firstInvalidByte(in bytes: Span<UInt8>) -> Int? {
    do {
      _ = try UTF8Span(validating: bytes)
      return nil
    } catch {
      return error.byteOffsets.lowerBound
    }
  }

  private static func isFit(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
    let bytes = UnsafeRawBufferPointer(utf8)
    var index = 0
    while index < bytes.count {
      if index + 8 <= bytes.count,
        isPlain(bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
      {
        index += 8
      } else if isUnfit(bytes, at: index) {
        return false
      } else {
        index += 1
      }
    }
    return true
  }

  /// Returns whether each of the eight bytes is in 0x01…0x7F: none has its high bit set, and none
  /// borrows when 1 is subtracted.
  private static func isPlain(_ word: UInt64) -> Bool {
    (word | (word &- 0x0101_0101_0101_0101)) & 0x8080_8080_8080_8080 == 0
  }

  /// Returns whether valid text has U+0000 or a noncharacter at this index.
  private static func isUnfit(_ bytes: UnsafeRawBufferPointer, at index: Int) -> Bool {
    let first = bytes[index]
    guard first == 0 || first >= 0xEF else { return false }
    switch first {
    case 0:
      return true
    case 0xEF:  // U+F000…FFFF
      let (second, third) = (bytes[index + 1], bytes[index + 2])
      return second == 0xB7 ? (0x90...0xAF).contains(third) : second == 0xBF && third >= 0xBE
    default:  // U+10000…10FFFF: the last two of a plane end in 16 bits of 0xFFFE or 0xFFFF
      let (second, third, fourth) = (bytes[index + 1], bytes[index + 2], bytes[index + 3])
      return second & 0x0F == 0x0F && third == 0xBF && fourth >= 0xBE
    }
  }
}
