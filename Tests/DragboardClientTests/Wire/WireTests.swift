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
  func changes(change: WireChange) throws {
    #expect(try change.received(as: WireChange.self) == change)
  }

  @Test("An unknown kind of change is decoded as a reset")
  func unknownKind() throws {
    let change = Structure("merge", "id", UInt32(0), UInt32(0), UInt32(0), UInt32(0))
    #expect(try change.received(as: WireChange.self).kind == .reset)
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
    get throws { try received(as: [String: Variant].self) }
  }
}

extension BusValue {
  /// Returns the value as it is read from a message.
  fileprivate func received<Value: BusValue>(as type: Value.Type) throws -> Value {
    let message = OutgoingMessage.call("Show", of: nil, at: "/", to: nil)
    message.append(self)
    let bytes = try #require(message.wire(serial: 1))
    let received = try #require(bytes.withUnsafeBytes { Message(wire: $0) })
    return try received.arguments(as: Value.self)
  }
}
