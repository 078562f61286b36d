import BoardModel
import DragModel
import Testing

@Suite("Item providers")
struct ItemProviderTests {
  @Test("Representations keep the order of their registration")
  func order() throws {
    let item = try Self.item()
    #expect(item.types(within: .ownProcess).map(\.mime) == ["text/rtf", "text/html", "text/plain"])
    #expect(item.byteCount == 60)
  }

  @Test("A representation that a viewer may not see counts as missing")
  func visibility() throws {
    let item = try Self.item()
    #expect(item.types(within: .group).map(\.mime) == ["text/html", "text/plain"])
    #expect(item.types(within: .all).map(\.mime) == ["text/plain"])
    #expect(item.first(matching: TypeQuery(.rtf), within: .team) == nil)
  }

  @Test("A query finds the first conforming and visible type in order of fidelity")
  func first() throws {
    let item = try Self.item()
    let text = try TypeQuery(parsing: "text/*")
    #expect(item.first(matching: text, within: .ownProcess)?.type == .rtf)
    #expect(item.first(matching: text, within: .team)?.type == .html)
    #expect(item.first(matching: .any, within: .all)?.type == .textOfUnknownEncoding)
    #expect(item.first(matching: TypeQuery(.png), within: .ownProcess) == nil)
  }

  @Test("A type is registered once, in any spelling")
  func duplicate() throws {
    var item = try Self.item()
    #expect(throws: DragError.duplicateRepresentation(.html)) {
      try item.register(.sample("public.HTML"))
    }
    #expect(item.representations.count == 3)
    #expect(item.byteCount == 60)
  }

  @Test("An item has at most 256 representations")
  func limit() throws {
    var item = ItemProvider()
    for number in 0..<256 { try item.register(.sample("x/\(number)")) }
    #expect(throws: DragError.limitExceeded(.representations, maximum: 256)) {
      try item.register(.sample("x/256"))
    }
  }

  @Test("An item has its attributes and its row")
  func origin() throws {
    let attributes = ItemAttributes(name: try Label("a"), modified: 5)
    let item = ItemProvider(attributes: attributes, row: RowID(7))
    #expect(item.attributes == attributes)
    #expect(item.row == RowID(7))
    #expect(item.types(within: .ownProcess).isEmpty)
  }

  private static func item() throws -> ItemProvider {
    var item = ItemProvider()
    try item.register(.sample("text/rtf", .ownProcess, bytes: 10))
    try item.register(.sample("text/html", .team, bytes: 20))
    try item.register(.sample("text/plain", .all, bytes: 30))
    return item
  }
}
