import DBus
import DragboardInterface
import Testing

@Suite("Changes and rows on the wire")
struct WireTests {
  private static let places = (
    from: WireChange.Place(section: 1, row: 2), to: WireChange.Place(section: 3, row: 4)
  )

  @Test(
    "A change is decoded as it was encoded",
    arguments: [
      WireChange(.insert, "id", to: places.to), WireChange(.delete, "id", from: places.from),
      WireChange(.move, "id", from: places.from, to: places.to),
      WireChange(.moveSection, "later", from: .init(section: 1), to: .init(section: 0)),
      WireChange(.reset),
    ])
  func changes(change: WireChange) {
    #expect(WireChange(change.wire) == change)
  }

  @Test("An unknown kind of change is not decoded")
  func unknownKind() {
    #expect(WireChange(BoardInterface.Change("merge", "id", 0, 0, 0, 0)) == nil)
  }

  @Test("Attributes are decoded as they were encoded")
  func attributes() throws {
    var attributes = RowAttributes(isEditable: false, isMovable: true)
    #expect(RowAttributes(try attributes.wire) == attributes)
    #expect(try attributes.wire.keys.sorted() == ["editable", "movable"])
    attributes.isPinned = true
    attributes.created = 7
    attributes.source = "org.example.Notes"
    attributes.byteCount = 8
    attributes.item.name = "notes.txt"
    attributes.item.stack = "s"
    #expect(RowAttributes(try attributes.wire) == attributes)
    #expect(try attributes.wire.count == 8)
  }

  @Test("An attribute that is missing or has a wrong type gets its default value")
  func otherAttributes() {
    let wire = ["editable": Variant(.string("no")), "colour": Variant(.string("red"))]
    #expect(RowAttributes(wire) == RowAttributes())
  }
}

extension RowAttributes {
  /// The attributes as they are read from a message.
  fileprivate var wire: [String: Variant] {
    get throws {
      let message = OutgoingMessage.call("Show", of: nil, at: "/", to: nil)
      message.append(self)
      let bytes = try #require(message.wire(serial: 1))
      let received = try #require(bytes.withUnsafeBytes { Message(wire: $0) })
      return try received.arguments(as: [String: Variant].self)
    }
  }
}
