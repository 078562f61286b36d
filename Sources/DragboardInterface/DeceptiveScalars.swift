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
