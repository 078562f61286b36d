import DragboardClient
import Testing

@Suite("Item ids")
struct ItemIDTests {
  static let text = "0f8fad5b-d9cb-469f-a165-70867728950e"

  @Test(
    "An id is printed as it was parsed", arguments: [text, "ffffffff-ffff-ffff-ffff-ffffffffffff"])
  func roundTrip(text: String) throws {
    #expect(try #require(ItemID(text)).description == text)
  }

  @Test("Upper case is parsed, and printed as lower case")
  func upperCase() throws {
    #expect(try #require(ItemID(Self.text.uppercased())).description == Self.text)
  }

  @Test(
    "A text that is not an id is refused",
    arguments: [
      "", "0f8fad5b", "0f8fad5bd9cb469fa16570867728950e", "0f8fad5b-d9cb-469f-a165-70867728950",
      "0f8fad5b-d9cb-469f-a165-70867728950ee", "0f8fad5b-d9cb-469f-a165-70867728950g",
      "0f8fad5bd-9cb-469f-a165-70867728950e", "0f8fad5b-d9cb-469f-a165-7086772895é",
    ])
  func refused(text: String) {
    #expect(ItemID(text) == nil)
  }

  @Test("Ids have the order of their texts")
  func order() throws {
    let texts = [
      "0f8fad5b-d9cb-469f-a165-70867728950e", "0f8fad5b-d9cb-469f-b165-70867728950e",
      "1f8fad5b-d9cb-469f-a165-70867728950e",
    ]
    #expect(texts.shuffled().compactMap(ItemID.init).sorted().map(\.description) == texts)
  }
}
