import DragboardClient
import Foundation
import Testing

@testable import dragboard

@Suite("The output of the command")
struct OutputTests {
  @Test(
    "The width of a text is its width in a terminal",
    arguments: [("abc", 3), ("", 0), ("漢字", 4), ("e\u{301}", 1), ("ä", 1), ("🙂", 2), ("\u{1B}", 1)])
  func width(text: String, columns: Int) {
    #expect(TerminalText(text).width == columns)
  }

  @Test("Controls and bidirectional marks are replaced")
  func harmless() {
    #expect(TerminalText("a\u{1B}[2Jb\tc\n").text == "a␛[2Jb c␊")
    #expect(TerminalText("a\u{202E}b\u{9B}c\u{7F}").text == "a\u{FFFD}b\u{FFFD}c␡")
    for scalar in DeceptiveOutput.deceptive where !["\u{200C}", "\u{200D}"].contains(scalar) {
      #expect(TerminalText("a\(scalar)b").text.unicodeScalars.contains("\u{FFFD}"))
    }
    for text in ["👩\u{200D}🚀", "❤\u{FE0F}", "می\u{200C}خواهم", "\u{600}١"] {
      #expect(TerminalText(text).text.unicodeScalars.elementsEqual(text.unicodeScalars))
    }
  }

  @Test(
    "A text that is too wide is cut between characters, and does not exceed the width",
    arguments: [
      ("abcdef", 4, "abc…"), ("abc", 3, "abc"), ("漢字漢", 4, "漢…"), ("abc", 1, "…"), ("abc", 0, ""),
    ])
  func cutting(text: String, columns: Int, cut: String) {
    let shown = TerminalText(text).cut(to: columns)
    #expect(shown.text == cut)
    #expect(shown.width <= columns)
  }

  @Test("A table is as wide as the terminal, also with wide characters")
  func table() {
    var table = Table(
      [
        Table.Column(head: "N", isNumber: true), Table.Column(head: "TEXT", isFlexible: true),
        Table.Column(head: "ID"),
      ], width: 20)
    let ink = Ink(hasColours: false)
    let lines = table.lines(
      of: [["1", "漢字漢字漢字漢字", "ab"], ["10", "short", "cd"]], ink)
    #expect(
      lines == [
        " N  TEXT          ID", " 1  漢字漢字漢…   ab", "10  short         cd",
      ])
    #expect(table.lines(of: [["11", "later", "ef"]], ink) == ["11  later         ef"])
  }

  @Test("A later page can widen columns, but not exceed the terminal")
  func growingTable() {
    var table = Table(
      [Table.Column(head: "N", isNumber: true), Table.Column(head: "TEXT", isFlexible: true)],
      width: 20)
    let ink = Ink(hasColours: false)
    #expect(
      table.lines(of: [["1", "a text that is long"]], ink) == [
        "N  TEXT", "1  a text that is l…",
      ])
    #expect(
      table.lines(of: [["later:1", "a text that is long"]], ink) == ["later:1  a text tha…"])
    #expect(table.lines(of: [["2", "short"]], ink) == ["      2  short"])
  }

  @Test("On a narrow terminal, optional columns are omitted, the last column first")
  func narrowTable() {
    func lines(width: Int) -> [String] {
      var table = Table(
        [
          Table.Column(head: "N", isNumber: true), Table.Column(head: "TEXT", isFlexible: true),
          Table.Column(head: "TYPE", isOptional: true), Table.Column(head: "ID", isOptional: true),
        ], width: width)
      return table.lines(
        of: [["1", "a text that is long", "text", "0f8f"]], Ink(hasColours: false))
    }
    #expect(lines(width: 26) == ["N  TEXT         TYPE  ID", "1  a text tha…  text  0f8f"])
    #expect(lines(width: 24) == ["N  TEXT             TYPE", "1  a text that is…  text"])
    #expect(lines(width: 16) == ["N  TEXT", "1  a text that …"])
    #expect(lines(width: 5) == ["N  TEXT", "1  a text th…"])
  }

  @Test("Escape sequences are printed only with colours")
  func colours() {
    #expect(Ink(hasColours: true).bold("a") == "\u{1B}[1ma\u{1B}[0m")
    #expect(Ink(hasColours: false).bold("a") == "a")
  }

  @Test(
    "JSON can be decoded by other programs",
    arguments: ["", "a\"b\\c", "\n\r\t\u{0}\u{1F}\u{7F}", "é漢🙂\u{2028}"])
  func json(text: String) throws {
    let value: JSON = ["text": .string(text), "list": [1, true, nil, .fraction(0.5)]]
    #expect(!value.description.contains("\n"))
    let read = try JSONSerialization.jsonObject(with: Data(value.description.utf8))
    let object = try #require(read as? [String: Any])
    #expect(object["text"] as? String == text)
    #expect((object["list"] as? [Any])?.count == 4)
  }

  @Test(
    "Ages and sizes are printed in their largest unit",
    arguments: [
      (0, "now"), (59, "now"), (60, "1m"), (7_199, "1h"), (90_000, "1d"), (40_000_000, "1y"),
      (-5, "now"),
    ])
  func age(seconds: Int, text: String) {
    #expect(Amounts.age(of: .seconds(1_000_000_000 - seconds), at: .seconds(1_000_000_000)) == text)
  }

  @Test(
    "Sizes are printed with at least two digits",
    arguments: [
      (0, "0 B"), (1_023, "1023 B"), (1_024, "1.0 KiB"), (10_240, "10 KiB"),
      (104_857_600, "100 MiB"),
    ])
  func bytes(count: Int, text: String) {
    #expect(Amounts.bytes(count) == text)
  }

  @Test("An instant is printed in UTC, to the microsecond")
  func timestamp() {
    #expect(
      Amounts.timestamp(.microseconds(1_795_235_960_574_411)) == "2026-11-21T04:39:20.574411Z")
  }
}
