import Testing
import Text

@Suite("Hexadecimal digits")
struct HexadecimalTests {
  @Test("Every byte has two digits, and the digits have the byte")
  func bytes() {
    let all = Array(UInt8.min ... .max)
    let digits = Hexadecimal.digits(of: all)
    #expect(digits.hasPrefix("000102") && digits.hasSuffix("fdfeff") && digits.utf8.count == 512)
    #expect(Hexadecimal.bytes(of: digits) == all)
    #expect(Hexadecimal.digits(of: [0x0A, 0xBF], isUppercase: true) == "0ABF")
    #expect(Hexadecimal.digits(of: []) == "")
    #expect(Hexadecimal.bytes(of: "") == [])
  }

  @Test("A number has all its digits")
  func numbers() {
    #expect(Hexadecimal.digits(of: 0xA as UInt16) == "000a")
    #expect(Hexadecimal.digits(of: UInt64.max) == "ffffffffffffffff")
    #expect(Hexadecimal.digits(of: 0x0123_4567_89AB_CDEF as UInt64) == "0123456789abcdef")
  }

  @Test(
    "Other texts are not bytes",
    arguments: ["0", "0g", "AB", "+1", "-1", " 1", "1 ", "0x", "é", "１２", "00\u{0}0"])
  func malformed(text: String) { #expect(Hexadecimal.bytes(of: text) == nil) }

  @Test("A digit has a value in both cases, and no other byte has one")
  func values() {
    for byte in UInt8.min ... .max {
      let expected = byte < 0x80 ? Character(Unicode.Scalar(byte)).hexDigitValue : nil
      #expect(Hexadecimal.value(of: byte).map(Int.init) == expected)
    }
  }

  @Test("A code point has at least four digits in upper case")
  func codePoints() {
    #expect(("\0" as Unicode.Scalar).codePoint == "U+0000")
    #expect(("\u{202E}" as Unicode.Scalar).codePoint == "U+202E")
    #expect(("\u{E0041}" as Unicode.Scalar).codePoint == "U+E0041")
  }
}
