import DragModel
import TestSupport
import Testing

@Suite("Text on the wire")
struct TextTests {
  @Test(
    "A preview is the first line that is not blank, trimmed",
    arguments: [
      ("", ""), (" \t\r\n\u{2003}\n", ""), ("one", "one"), ("one\ntwo", "one"), ("one\rtwo", "one"),
      ("one\r\ntwo", "one"), ("\n\r\n\r  one two \t\nthree", "one two"),
      ("\u{A0}\u{3000}one\u{2028}two\u{85}", "one\u{2028}two"), ("a\u{B}b", "a\u{B}b"),
      ("\0a\u{FFFF}b", "\u{FFFD}a\u{FFFD}b"), ("e\u{301}\r\n", "e\u{301}"),
    ])
  func preview(text: String, preview: String) {
    #expect(Array(Preview.of(text).unicodeScalars) == Array(preview.unicodeScalars))
  }

  @Test("A preview is cut to 200 Unicode scalars after it is trimmed")
  func cut() {
    let x200 = String(repeating: "x", count: 200)
    let x190 = String(repeating: "x", count: 190)
    let spaces = String(repeating: " ", count: 30)
    #expect(Preview.of(x200 + "y") == x200)
    #expect(Preview.of(spaces + x200 + "y") == x200)
    #expect(Preview.of(x190 + spaces + "\ny") == x190)
    #expect(Preview.of(x190 + spaces + "y") == x190 + spaces.prefix(10))
    #expect(Preview.of(String(repeating: "😀", count: 201)).unicodeScalars.count == 200)
  }

  @Test("A preview equals the result of splitting, trimming and cutting", arguments: 1...4)
  func previewOracle(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<1_000 {
      let text = Self.text(length: Int.random(in: 0...300, using: &random), &random)
      #expect(Preview.of(text) == Self.naivePreview(of: text), "\(text.debugDescription)")
    }
  }

  @Test("A preview does not depend on how a text is divided", arguments: 1...4)
  func previewInPieces(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<500 {
      let text = Self.text(length: Int.random(in: 0...300, using: &random), &random)
      var (reader, rest) = (PreviewReader(), Array(text.utf8)[...])
      while !rest.isEmpty {
        let piece = rest.prefix(Int.random(in: 0...40, using: &random))
        reader.take(Array(piece).span)
        rest = rest.dropFirst(piece.count)
        if reader.isSettled { #expect(reader.preview == Preview.of(text)) }
      }
      #expect(reader.preview == Preview.of(text), "\(text.debugDescription)")
    }
  }

  @Test("A preview in pieces is complete at the end of the line or at its maximum length")
  func settling() {
    func isSettled(_ text: String) -> Bool {
      var reader = PreviewReader()
      reader.take(Array(text.utf8).span)
      return reader.isSettled
    }
    let x200 = String(repeating: "x", count: 200)
    for text in ["a\n", " \n a\r", x200, x200 + "y"] { #expect(isSettled(text), "\(text)") }
    let spaces = String(repeating: " ", count: 300)
    for text in ["", "\n\n", "a", x200.dropLast() + " ", "a" + spaces, spaces] {
      #expect(!isSettled(text), "\(text)")
    }
    #expect(isSettled("a" + spaces + "b"))
  }

  @Test("U+FFFD replaces U+0000 and each of the 66 noncharacters, and no other scalar")
  func everyScalar() {
    var replaced: [UInt32] = []
    // all scalars of plane 0, and the scalars at the end of each other plane
    for value in UInt32(0)...0x10FFFF where value < 0x10000 || value & 0xFFF >= 0xFD0 {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let text = String(scalar)
      if WireText.sanitized(text) != text {
        replaced.append(value)
        #expect(WireText.sanitized(text) == "\u{FFFD}")
      }
    }
    let ends = (UInt32(0)...16).flatMap { [$0 << 16 | 0xFFFE, $0 << 16 | 0xFFFF] }
    #expect(replaced == ([0] + Array(0xFDD0...0xFDEF) + ends).sorted())
  }

  @Test("Sanitizing replaces scalars at any position", arguments: 1...4)
  func sanitizedOracle(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<2_000 {
      let text = Self.text(length: Int.random(in: 0...40, using: &random), &random)
      let naive = String(String.UnicodeScalarView(text.unicodeScalars.map(Self.replacement)))
      #expect(Array(WireText.sanitized(text).utf8) == Array(naive.utf8))
    }
  }

  @Test(
    "The position of the first byte that is not UTF-8 is reported",
    arguments: [
      ([], nil), ([0x61, 0x00, 0xC3, 0xA4], nil), ([0x61, 0xFF], 1), ([0xC3], 0),
      ([0x61, 0x62, 0x80], 2),
      ([0xC0, 0x80], 0), ([0xED, 0xA0, 0x80], 0), ([0xF4, 0x90, 0x80, 0x80], 0),
    ] as [([UInt8], Int?)])
  func validation(bytes: [UInt8], offset: Int?) {
    #expect(WireText.firstInvalidByte(in: bytes.span) == offset)
  }

  @Test("A suggested name has up to 255 Unicode scalars")
  func suggestedName() throws {
    let longest = String(repeating: "é", count: 255)
    #expect(try Label(longest).text == longest)
    #expect(try Label("") == .none)
    #expect(try Label("Notes 😀.txt").text == "Notes 😀.txt")
    #expect(throws: LabelError.tooLong) { try Label(longest + "x") }
  }

  @Test(
    "A suggested name has neither controls nor noncharacters",
    arguments: [0, 0x0A, 0x1F, 0x7F, 0x9F, 0xFDD0, 0xFFFE, 0x10FFFF])
  func forbiddenScalar(value: UInt32) throws {
    let scalar = try #require(Unicode.Scalar(value))
    let error = LabelError.forbiddenScalar(scalar, position: 2)
    #expect(throws: error) { try Label("ab\(scalar)c") }
    #expect(error.description.hasPrefix("U+"))
  }

  private static func replacement(of scalar: Unicode.Scalar) -> Unicode.Scalar {
    let isNoncharacter =
      (0xFDD0...0xFDEF).contains(scalar.value) || scalar.value % 0x10000 >= 0xFFFE
    return scalar.value == 0 || isNoncharacter ? "\u{FFFD}" : scalar
  }

  private static func naivePreview(of text: String) -> String {
    for line in text.unicodeScalars.split(whereSeparator: { $0 == "\n" || $0 == "\r" }) {
      var scalars = Array(line)
      while scalars.last?.properties.isWhitespace == true { scalars.removeLast() }
      while scalars.first?.properties.isWhitespace == true { scalars.removeFirst() }
      guard !scalars.isEmpty else { continue }
      return String(String.UnicodeScalarView(scalars.prefix(200).map(replacement)))
    }
    return ""
  }

  private static func text(length: Int, _ random: inout SplitMix64) -> String {
    let rare: [UInt32] = [
      0x0A, 0x0D, 0, 0xE4, 0x2003, 0x6F22, 0xEFBF, 0xFDCF, 0xFDD0, 0xFDEF, 0xFDF0, 0xFFFD, 0xFFFF,
      0x1F600, 0x1FFFD, 0x1FFFE, 0x10FFFF,
    ]
    var scalars = String.UnicodeScalarView()
    for _ in 0..<length {
      switch UInt8.random(in: 0...99, using: &random) {
      case 0...4:
        scalars.append(rare.randomElement(using: &random).flatMap(Unicode.Scalar.init) ?? "x")
      case 5...50: scalars.append(" ")
      default: scalars.append("x")
      }
    }
    return String(scalars)
  }
}
