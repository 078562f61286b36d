import ClipboardModel
import Testing

@Suite struct TextTargetTests {
  @Test("Latin-1 becomes UTF-8") func latin1BecomesUTF8() {
    let bytes: [UInt8] = [0x67, 0x72, 0xFC, 0xDF, 0x80, 0xFF]
    #expect(TextTarget.utf8(fromLatin1: bytes.span) == Array("grüß\u{80}ÿ".utf8))
  }

  @Test("A text is offered under all names at its position")
  func aTextIsOfferedUnderAllNamesAtItsPosition() {
    let offers = TextTarget.offers(of: ["text/html", "text/plain;charset=utf-8", "image/png"])
    #expect(
      offers.map(\.name) == [
        "text/html", "text/plain;charset=utf-8", "UTF8_STRING", "text/plain", "STRING", "TEXT",
        "image/png",
      ])
    #expect(offers[4].type == "text/plain;charset=utf-8")
  }

  @Test("A type of the row precedes a name of its text") func aTypeOfTheRowPrecedesANameOfItsText()
  {
    let offers = TextTarget.offers(of: ["text/plain;charset=utf-8", "text/plain"])
    #expect(offers.count { $0.name == "text/plain" } == 1)
    #expect(offers.first { $0.name == "text/plain" }?.type == "text/plain")
  }
}
