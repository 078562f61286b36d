extension Unicode.Scalar {
  /// Whether this is one of the 66 code points that stand for no character, U+FDD0…FDEF and the last two of a plane.
  var isNoncharacter: Bool {
    (0xFDD0...0xFDEF).contains(value) || value & 0xFFFE == 0xFFFE
  }

  /// Whether this is a control, U+0000…001F and U+007F…009F.
  var isControl: Bool {
    value < 0x20 || (0x7F...0x9F).contains(value)
  }

  /// What stands for this in a D-Bus string: U+FFFD for U+0000 and for noncharacters.
  var fitForWire: Unicode.Scalar {
    value == 0 || isNoncharacter ? "\u{FFFD}" : self
  }

  /// Whether this is white space by Unicode, line ends included.
  var isSpace: Bool {
    isASCII ? value == 0x20 || (0x09...0x0D).contains(value) : properties.isWhitespace
  }
}
