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
    if isShown(whole: text.span) {
      return text.span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    }
    // Offsets of bytes: where the line begins, where what may be shown of it ends, and where that is trimmed.
    var (start, cut, end) = (0, 0, 0)
    var length = 0
    var scalars = text.makeUnicodeScalarIterator()
    while let scalar = scalars.next() {
      // Blank lines and the indentation of the first other one are one stretch of white space.
      if length == 0 && scalar.isSpace {
        start = scalars.currentCodeUnitOffset
        continue
      }
      if scalar == "\n" || scalar == "\r" { break }
      if length < maximumLength {
        length += 1
        cut = scalars.currentCodeUnitOffset
      }
      if scalar.isSpace { continue }
      end = cut
      if length == maximumLength { break }
    }
    guard start < end else { return "" }
    let line = text.span.extracting(start..<end)
    return WireText.sanitized(line.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) })
  }

  /// Whether a text is its own preview for all to see, as most are: one short line of ASCII without white space around it.
  private static func isShown(whole text: Span<UInt8>) -> Bool {
    guard 1...maximumLength ~= text.count, text[0] != 0x20, text[text.count - 1] != 0x20 else {
      return false
    }
    for index in text.indices {
      guard 0x20..<0x7f ~= text[index] else { return false }
    }
    return true
  }
}
