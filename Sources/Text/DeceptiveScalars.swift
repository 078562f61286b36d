extension Unicode.Scalar {
  /// Whether the scalar can deceive a reader, because it is invisible or changes how the text
  /// around it is shown.
  ///
  /// Such scalars are controls, format characters (bidirectional marks, joiners, tags), line and
  /// paragraph separators, and the other default-ignorable code points. Variation selectors are not
  /// among them, because emoji need them.
  ///
  /// Source: Unicode Character Database, General_Category Cc, Cf, Zl and Zp, and
  /// Default_Ignorable_Code_Point.
  public var isDeceptive: Bool {
    if isASCII { return value < 0x20 || value == 0x7F }
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: return true
    default: return properties.isDefaultIgnorableCodePoint && !properties.isVariationSelector
    }
  }

  /// The scalar that a list or a widget shows in its place.
  ///
  /// A visible symbol, such as ␛, replaces an ASCII control, and a space replaces a tab. U+FFFD
  /// replaces every other scalar that can deceive a reader, except the format characters that some
  /// languages need: joiners and visible signs.
  public var displayed: Unicode.Scalar {
    switch value {
    case 0x09: " "
    case 0...0x1F: Unicode.Scalar(0x2400 + value) ?? "\u{FFFD}"
    case 0x7F: "\u{2421}"
    case 0...0x7E: self
    default: isDeceptive && !isNeeded ? "\u{FFFD}" : self
    }
  }

  private var isNeeded: Bool {
    switch value {
    case 0x200C, 0x200D: true
    case 0xFFF9...0xFFFB: false
    default:
      properties.generalCategory == .format && !properties.isDefaultIgnorableCodePoint
    }
  }

  /// The scalar as escapes in a JSON string, one for each unit of UTF-16, such as `\u202e`.
  public var jsonEscapes: String {
    utf16.map { "\\u" + Hexadecimal.digits(of: $0) }.joined()
  }
}

extension String {
  /// Returns the text as one line, with U+FFFD for each scalar that can deceive a reader.
  ///
  /// - Parameter maxScalars: the maximum number of scalars. A longer text is cut.
  /// - Returns: the text without line breaks.
  public func harmlessLine(maxScalars: Int = .max) -> String {
    var line = UnicodeScalarView()
    for scalar in unicodeScalars.prefix(maxScalars) {
      line.append(scalar.isDeceptive ? "\u{FFFD}" : scalar)
    }
    return String(line)
  }
}
