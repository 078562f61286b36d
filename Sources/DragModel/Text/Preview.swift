/// The preview of a text in a list.
public enum Preview {
  /// The maximum number of Unicode scalars in a preview.
  public static let maxLength = 200

  /// Returns the first line that is not blank, trimmed and cut to 200 Unicode scalars; "" if every
  /// line is blank.
  ///
  /// Lines end in LF, CR LF or CR. A blank line has only Unicode white space. The preview is valid
  /// in a D-Bus string: see ``WireText/sanitized(_:)``.
  ///
  /// - Complexity: O(*k*), where *k* is the offset of the preview's end in the text. White space
  ///   after the preview is read only if the 200th scalar is white space.
  public static func of(_ text: String) -> String {
    of(text.utf8Span)
  }

  /// Returns the preview of UTF-8 text without copying it into a `String`.
  public static func of(_ text: UTF8Span) -> String {
    if isShown(whole: text.span) {
      return text.span.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    }
    // Byte offsets: the start of the line, the end of its first 200 scalars, and the end after
    // trimming.
    var (start, cut, end) = (0, 0, 0)
    var length = 0
    var scalars = text.makeUnicodeScalarIterator()
    while let scalar = scalars.next() {
      // Skip blank lines and the indentation of the first nonblank line, which are one run of white
      // space.
      if length == 0 && scalar.isSpace {
        start = scalars.currentCodeUnitOffset
        continue
      }
      if scalar == "\n" || scalar == "\r" { break }
      if length < maxLength {
        length += 1
        cut = scalars.currentCodeUnitOffset
      }
      if scalar.isSpace { continue }
      end = cut
      if length == maxLength { break }
    }
    guard start < end else { return "" }
    let line = text.span.extracting(start..<end)
    return WireText.sanitized(line.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) })
  }

  /// Returns whether a text is its own preview: one short line of ASCII without white space around
  /// it.
  ///
  /// This is the common case.
  private static func isShown(whole text: Span<UInt8>) -> Bool {
    guard 1...maxLength ~= text.count, text[0] != 0x20, text[text.count - 1] != 0x20 else {
      return false
    }
    for index in text.indices {
      guard 0x20..<0x7f ~= text[index] else { return false }
    }
    return true
  }
}
