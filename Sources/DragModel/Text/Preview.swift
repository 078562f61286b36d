/// What is shown of a text in a list.
public enum Preview {
  /// The most Unicode scalars of a preview.
  public static let maximumLength = 200

  /// The first line that is not blank, trimmed, cut to 200 Unicode scalars; "" where every line is blank.
  ///
  /// Lines end in LF, CR LF or CR; blank is what has only Unicode white space. The preview is fit for a D-Bus
  /// string, as ``WireText/sanitized(_:)`` makes it.
  ///
  /// - Complexity: O(*k*), where *k* is how far the preview's end lies into the text; white space that follows it
  ///   is read only where the cut falls into it.
  public static func of(_ text: String) -> String {
    of(text.utf8Span)
  }

  /// The preview of text that is not in a `String`, and need not be copied into one.
  public static func of(_ text: UTF8Span) -> String {
    var line: [Unicode.Scalar] = []
    var trimmedLength = 0
    var scalars = text.makeUnicodeScalarIterator()
    while let scalar = scalars.next() {
      // Blank lines and the indentation of the first other one are one stretch of white space.
      if line.isEmpty && scalar.isSpace { continue }
      if scalar == "\n" || scalar == "\r" { break }
      if line.count < maximumLength { line.append(scalar.fitForWire) }
      if scalar.isSpace { continue }
      trimmedLength = line.count
      if line.count == maximumLength { break }
    }
    return String(String.UnicodeScalarView(line[..<trimmedLength]))
  }
}
