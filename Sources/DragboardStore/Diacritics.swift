internal import CUTF8Proc
internal import Glibc

extension String {
  /// The text in canonical decomposition (NFD), without diacritics.
  ///
  /// Canonically equal texts become equal, and so do texts that differ only in accents or in the
  /// points of Hebrew and Arabic. The index needs this, because its tokenizer removes only Latin
  /// diacritics and ends a word at any other diacritic.
  ///
  /// Sources: Unicode Standard Annex 15; Unicode Standard Annex 44, "Canonical Combining Class
  /// Values".
  var withoutDiacritics: String {
    guard utf8.contains(where: { $0 >= 0x80 }) else { return self }
    return String(UnicodeScalarView(decomposed.unicodeScalars.lazy.filter { !$0.isDiacritic }))
  }

  /// The text in canonical decomposition; unchanged if memory is exhausted.
  private var decomposed: String {
    var text = self
    return text.withUTF8 { source in
      var decomposed: UnsafeMutablePointer<UInt8>?
      defer { free(decomposed) }
      let options = UTF8PROC_STABLE.rawValue | UTF8PROC_DECOMPOSE.rawValue
      let count = utf8proc_map(
        source.baseAddress, source.count, &decomposed, utf8proc_option_t(options))
      guard count >= 0, let decomposed else { return self }
      return String(decoding: UnsafeBufferPointer(start: decomposed, count: count), as: UTF8.self)
    }
  }
}

extension Unicode.Scalar {
  /// Whether a search ignores the scalar.
  ///
  /// All combining marks are diacritics, except nuktas, the voicing marks of Kana, and viramas.
  fileprivate var isDiacritic: Bool {
    value >= 0x300 && properties.canonicalCombiningClass > .virama
  }
}
