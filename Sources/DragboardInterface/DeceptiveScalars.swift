extension Unicode.Scalar {
  /// Whether the scalar can deceive a reader: it is invisible, or changes how text around it is shown.
  ///
  /// These are controls, format characters (bidirectional marks, joiners, tags), line and paragraph
  /// separators, and the other default-ignorable code points. Variation selectors are not among them,
  /// because emoji need them.
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
}

extension String {
  /// Makes one line of the text, without scalars that can deceive a reader.
  ///
  /// - Parameter maxScalars: the maximum number of scalars; the rest of the text is left out.
  /// - Returns: the text, with U+FFFD for each such scalar.
  public func harmlessLine(maxScalars: Int = .max) -> String {
    var line = UnicodeScalarView()
    for scalar in unicodeScalars.prefix(maxScalars) {
      line.append(scalar.isDeceptive ? "\u{FFFD}" : scalar)
    }
    return String(line)
  }
}
