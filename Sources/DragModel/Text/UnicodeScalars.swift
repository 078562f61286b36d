extension Unicode.Scalar {
  /// Whether the scalar is one of the 66 noncharacters: U+FDD0…FDEF and the last two of each plane.
  var isNoncharacter: Bool {
    (0xFDD0...0xFDEF).contains(value) || value & 0xFFFE == 0xFFFE
  }

  /// Whether the scalar is a control: U+0000…001F and U+007F…009F.
  var isControl: Bool {
    value < 0x20 || (0x7F...0x9F).contains(value)
  }

  /// Whether the scalar is white space in Unicode, including line ends.
  var isSpace: Bool {
    isASCII ? value == 0x20 || (0x09...0x0D).contains(value) : properties.isWhitespace
  }
}
