import DragboardClient
import ShelfModel
import Testing

@Suite("Texts of clients in widgets") struct ShownTextTests {
  /// U+202E, which reverses the text after it.
  private let reversed = "\u{202E}gnp.exe"

  @Test("A scalar that reverses or hides text is replaced; joiners and tabs are not lost")
  func deceptive() {
    #expect(ShownText.line(reversed) == "\u{FFFD}gnp.exe")
    #expect(
      ShownText.line("a\u{2067}b\u{2069}\u{200F}c\u{200B}d")
        == "a\u{FFFD}b\u{FFFD}\u{FFFD}c\u{FFFD}d")
    #expect(ShownText.line("a\tb\nc\u{1B}") == "a b␊c␛")
    #expect(ShownText.line("می\u{200C}خواهم 👩\u{200D}🚀️") == "می\u{200C}خواهم 👩\u{200D}🚀️")
    #expect(ShownText.lines(of: "\(reversed)\n\nb\u{2028}c") == "\u{FFFD}gnp.exe\nb\nc")
    #expect(ShownText.beginning(of: "a\r\n\tb\(reversed)") == "a\n\tb\u{FFFD}gnp.exe")
  }

  @Test("A letter has at most eight marks")
  func marks() {
    let text = "a" + String(repeating: "\u{301}", count: 30_000) + "b"
    let shown = "a" + String(repeating: "\u{301}", count: 8) + "b"
    #expect(ShownText.line(text) == shown)
    #expect(ShownText.lines(of: text) == shown)
    #expect(ShownText.beginning(of: text) == shown)
    let joiners = "a" + String(repeating: "\u{200D}", count: 30_000)
    #expect(ShownText.line(joiners).unicodeScalars.count == 9)
  }

  @Test("A widget gets at most 4,096 scalars of a text, and 512 of a line")
  func length() {
    let text = String(repeating: "x", count: 5_000_000)
    #expect(ShownText.line(text) == String(repeating: "x", count: 512) + "…")
    #expect(ShownText.lines(of: text) == String(repeating: "x", count: 200))
    let beginning = ShownText.beginning(of: text)
    #expect(beginning.unicodeScalars.count == ShownText.maxScalars)
    #expect(beginning.hasSuffix("x…"))
    #expect(ShownText.beginning(of: "x", isCut: true) == "x…")
    #expect(ShownText.beginning(of: "x") == "x")
  }

  @Test("A text whose display would take much time cannot be edited")
  func editing() {
    let line = String(repeating: "x", count: ShownText.maxScalars)
    #expect(ShownText.isEditable("\(line)\n\(line)"))
    #expect(!ShownText.isEditable(line + "x"))
    #expect(!ShownText.isEditable(String(repeating: "x\n", count: 40_000)))
    #expect(ShownText.isEditable("a\u{301}\u{200F}"))
    #expect(!ShownText.isEditable("a" + String(repeating: "\u{301}", count: 9)))
  }

  @Test("Titles of rows, drags and addresses contain no deceptive scalars")
  func titles() {
    let row = RowFacts(id: item(1), types: [.png], suggestedName: reversed)
    #expect(row.title == "\u{FFFD}gnp.exe")
    #expect(RowFacts(id: item(1), preview: reversed).title == "\u{FFFD}gnp.exe")
    #expect(RowFacts(id: item(1), types: ["x/\u{202E}"]).title == "x/\u{FFFD}")
    #expect(Addresses.name(of: "file:///%E2%80%AEgnp.exe") == "\u{FFFD}gnp.exe")
    #expect(Addresses.name(of: "https://a/\(reversed)") == "a/\u{FFFD}gnp.exe")
    #expect(Addresses.name(of: reversed) == "\u{FFFD}gnp.exe")
    let long = Addresses.name(of: "https://" + String(repeating: "x", count: 100_000))
    #expect(long.unicodeScalars.count == 513)
    let drag = WaitingDrag(
      id: SessionID(1), application: "org.example.\u{202E}", itemCount: 1,
      items: [WaitingDrag.Item(types: ["x/\u{202E}"], suggestedName: "")])
    #expect(drag.detail(describe: { "\($0)" }, nameOf: { $0 }).contains("\u{FFFD}"))
  }
}
