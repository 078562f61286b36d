@_spi(_Unicode) internal import Swift

extension String {
  /// The text in its canonical decomposition, without diacritics: texts that are canonically equal are the same, and so are those that
  /// differ in accents, or in points and vowel signs of Hebrew and Arabic.
  ///
  /// The tokenizer drops the diacritics of Latin by itself, and takes all others for the ends of words.
  ///
  /// Source: Unicode Standard Annex 15, NFD, which the standard library has for packages that ask for it; Unicode Standard Annex 44,
  /// "Canonical Combining Class Values".
  var withoutDiacritics: String {
    guard utf8.contains(where: { $0 >= 0x80 }) else { return self }
    return String(UnicodeScalarView(_nfd.lazy.filter { !$0.isDiacritic }))
  }
}

extension Unicode.Scalar {
  /// Whether this is a mark that is ordered by its place about a letter: all are but nuktas, the voicing of Kana, and viramas.
  fileprivate var isDiacritic: Bool {
    value >= 0x300 && properties.canonicalCombiningClass > .virama
  }
}
