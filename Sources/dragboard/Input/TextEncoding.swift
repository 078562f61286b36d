/// The encoding of bytes that may be text.
enum TextEncoding: Equatable {
  case utf8
  /// ISO 8859-1, whose bytes are the same numbers as Unicode scalars.
  case latin1
  /// The bytes are not text.
  case binary

  /// Determines the encoding of bytes that arrive in chunks.
  ///
  /// UTF-8 is preferred. Every sequence of bytes could be ISO 8859-1, but a text has no control
  /// characters except white space, backspace and escape.
  struct Detector {
    private var isUTF8 = true
    private var hasControls = false
    /// Whether there are control characters of ISO 8859-1, which are parts of characters in UTF-8.
    private var hasUpperControls = false
    /// The bytes of a character that continues in the next chunk.
    private var rest: [UInt8] = []

    mutating func take(_ piece: UnsafeRawBufferPointer) {
      guard !hasControls else { return }
      for byte in piece {
        switch byte {
        case 0x08...0x0D, 0x1B: break
        case 0..<0x20, 0x7F: hasControls = true
        case 0x80..<0xA0: hasUpperControls = true
        default: break
        }
      }
      guard isUTF8 else { return }
      let bytes = rest + piece
      let end = Self.endOfLastCharacter(in: bytes)
      rest = Array(bytes[end...])
      isUTF8 = String(validating: bytes[..<end], as: UTF8.self) != nil
    }

    /// Returns the encoding of all bytes.
    func end() -> TextEncoding {
      if hasControls { return .binary }
      if isUTF8, rest.isEmpty { return .utf8 }
      return hasUpperControls ? .binary : .latin1
    }

    /// Returns the index after the last complete character in UTF-8.
    private static func endOfLastCharacter(in bytes: [UInt8]) -> Int {
      for (index, byte) in bytes.enumerated().suffix(4).reversed() where byte & 0xC0 != 0x80 {
        let count = byte < 0xC0 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
        return index + count > bytes.count ? index : bytes.count
      }
      return bytes.count
    }
  }

  /// Returns the text of bytes; nil if they are not text of this encoding.
  func text(of bytes: [UInt8]) -> String? {
    switch self {
    case .utf8: String(validating: bytes, as: UTF8.self)
    case .latin1: String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    case .binary: nil
    }
  }
}
