import Testing
import Text

@Suite("Characters that can deceive a reader")
struct DeceptiveScalarsTests {
  /// The scalars that are neither ASCII nor in the categories that the rule names, and others that
  /// have been used for attacks.
  static let deceptive: [Unicode.Scalar] = [
    // Bidirectional controls and marks.
    "\u{202A}", "\u{202B}", "\u{202C}", "\u{202D}", "\u{202E}", "\u{2066}", "\u{2067}", "\u{2068}",
    "\u{2069}", "\u{200E}", "\u{200F}", "\u{61C}",
    // Scalars without a width, and blank letters.
    "\u{200B}", "\u{200C}", "\u{200D}", "\u{2060}", "\u{FEFF}", "\u{AD}", "\u{180E}", "\u{34F}",
    "\u{115F}", "\u{1160}", "\u{17B4}", "\u{3164}", "\u{FFA0}", "\u{2061}", "\u{206A}",
    // Line ends, annotations, tags and musical format characters.
    "\u{2028}", "\u{2029}", "\u{FFF9}", "\u{FFFA}", "\u{FFFB}", "\u{E0001}", "\u{E0041}",
    "\u{E007F}", "\u{1D173}",
  ]

  /// Every C0 control, DEL and every C1 control.
  static let controls = [0x00...0x1F, 0x7F...0x9F].joined().compactMap(Unicode.Scalar.init)

  @Test("A message has U+FFFD for every control and every deceptive scalar")
  func messages() {
    for scalar in Self.controls + Self.deceptive {
      #expect(scalar.isDeceptive, "\(scalar.jsonEscapes)")
      #expect("a\(scalar)b".harmlessLine() == "a\u{FFFD}b", "\(scalar.jsonEscapes)")
    }
    let attack = "\u{1B}]0;title\u{7}\u{1B}[2J\u{9B}31mok\r\nfake: \u{202E}gnp.exe"
    #expect(
      attack.harmlessLine()
        == "\u{FFFD}]0;title\u{FFFD}\u{FFFD}[2J\u{FFFD}31mok\u{FFFD}\u{FFFD}fake: \u{FFFD}gnp.exe")
  }

  @Test("Visible texts are unchanged, in every form")
  func visible() {
    for text in ["", "plain ASCII ~", "Zürich", "漢字", "e\u{301}", "❤\u{FE0F}🙂", "\u{A0}\u{FFFD}"] {
      #expect(text.harmlessLine().unicodeScalars.elementsEqual(text.unicodeScalars))
      #expect(text.unicodeScalars.allSatisfy { $0.displayed == $0 })
    }
  }

  @Test("Invalid UTF-8 becomes U+FFFD, and so do encoded surrogates and controls in overlong forms")
  func invalid() {
    func line(_ bytes: UInt8...) -> String { String(decoding: bytes, as: UTF8.self).harmlessLine() }
    #expect(line(0x61, 0xFF, 0x62) == "a\u{FFFD}b")
    #expect(line(0x61, 0x9B, 0x62) == "a\u{FFFD}b")
    for bytes: [UInt8] in [[0xC0, 0x9B], [0xE0, 0x80, 0x9B], [0xED, 0xA0, 0x80], [0xF4, 0x90]] {
      let shown = String(decoding: bytes, as: UTF8.self).harmlessLine()
      #expect(!shown.isEmpty && shown.unicodeScalars.allSatisfy { $0 == "\u{FFFD}" })
    }
  }

  @Test("A longer message is cut")
  func cut() {
    #expect("abc\ndef".harmlessLine(maxScalars: 5) == "abc\u{FFFD}d")
    #expect("abc".harmlessLine(maxScalars: 3) == "abc")
  }

  @Test("A list shows symbols for ASCII controls, a space for a tab, and keeps joiners")
  func lists() {
    func shown(_ text: String) -> String {
      String(String.UnicodeScalarView(text.unicodeScalars.map(\.displayed)))
    }
    #expect(shown("\0a\u{1B}[2J\tb\n\r\u{7F}") == "␀a␛[2J b␊␍␡")
    #expect(shown("می\u{200C}خواهم 👩\u{200D}🚀️") == "می\u{200C}خواهم 👩\u{200D}🚀️")
    for scalar in Self.deceptive where scalar != "\u{200C}" && scalar != "\u{200D}" {
      #expect(scalar.displayed == "\u{FFFD}", "\(scalar.jsonEscapes)")
    }
    for scalar in Self.controls { #expect(!scalar.displayed.isDeceptive) }
  }

  @Test("JSON has an escape for each unit of UTF-16")
  func json() {
    #expect(("\u{7}" as Unicode.Scalar).jsonEscapes == "\\u0007")
    #expect(("\u{202E}" as Unicode.Scalar).jsonEscapes == "\\u202e")
    #expect(("\u{E0041}" as Unicode.Scalar).jsonEscapes == "\\udb40\\udc41")
  }
}
