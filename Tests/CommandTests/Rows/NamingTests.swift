import DragboardClient
import Testing

@testable import dragboard

@Suite("The names of rows and positions")
struct NamingTests {
  @Test(
    "Positions are parsed",
    arguments: [
      ("3", nil, 3), ("later:0", "later", 0), ("1:12", "1", 12), ("later:", "later", nil),
      ("a:b:2", "a:b", 2), (":4", "", 4),
    ] as [(String, String?, Int?)])
  func places(text: String, section: String?, row: Int?) throws {
    #expect(PositionArgument(argument: text) == PositionArgument(section: section, row: row))
  }

  @Test("An invalid position is refused", arguments: ["", "-1", "later", "a:b", "1.5", "٣", "1 "])
  func noPlaces(text: String) {
    #expect(PositionArgument(argument: text) == nil)
  }

  @Test("A section is found by its name, or else by its index")
  func sections() throws {
    let names = SectionNames(["main", "2024", "1"])
    #expect(try names.index(of: nil) == 0)
    #expect(try names.index(of: "2024") == 1)
    #expect(try names.index(of: "1") == 2)
    #expect(try names.index(of: "0") == 0)
    #expect(throws: CommandError.self) { try names.index(of: "3") }
  }

  static let id = "0f8fad5b-d9cb-469f-a165-70867728950e"

  @Test("A row is named by its position, its id, or the beginning of its id")
  func rows() throws {
    #expect(RowName(argument: "12")?.meaning == .place(PositionArgument(section: nil, row: 12)))
    #expect(
      RowName(argument: "later:1")?.meaning == .place(PositionArgument(section: "later", row: 1)))
    #expect(RowName(argument: "12345678")?.meaning == .prefix("12345678"))
    #expect(RowName(argument: "0F8fad")?.meaning == .prefix("0f8fad"))
    #expect(RowName(argument: Self.id)?.meaning == .id(try #require(ItemID(Self.id))))
    for text in ["", "later:", "xyz", "12 "] { #expect(RowName(argument: text) == nil) }
  }

  @Test("An additional type is parsed with its parameters and the source of its bytes")
  func alternatives() {
    let html = Alternative(argument: "text/html=<b a=1>")
    #expect(html?.type == .html)
    #expect(html?.source == .text("<b a=1>"))
    let text = Alternative(argument: "text/plain;charset=utf-8=a=b")
    #expect(text?.type == .plainText)
    #expect(text?.source == .text("a=b"))
    #expect(Alternative(argument: "image/png=@a.png")?.source == .file("a.png"))
    #expect(Alternative(argument: "image/png=!make it")?.isPromise == true)
    for text in ["", "text", "text/html", "=x"] { #expect(Alternative(argument: text) == nil) }
  }

  @Test("The name of a file determines its type")
  func fileTypes() {
    #expect(FileType.ofName("/a.b/c.PNG") == .png)
    #expect(FileType.ofName("notes.txt") == "text/plain")
    for path in ["", "png", "a.unknown", "dir.png/file"] {
      #expect(FileType.ofName(path) == nil)
    }
    #expect(FileType.ending(of: "text/html;charset=utf-8") == ".htm")
    #expect(FileType.ending(of: .plainText) == ".txt")
    #expect(FileType.ending(of: "x/y") == "")
  }
}
