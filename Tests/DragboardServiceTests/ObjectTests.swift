import DBus
import DragboardInterface
import TestSupport
import Testing

@Suite("The objects below the root")
struct ObjectTests {
  private static let boardInterfaces: Set = [
    BoardInterface.name.text, DragSourceInterface.name.text, DropTargetInterface.name.text,
    ViewsInterface.name.text,
  ]

  @Test("GetManagedObjects gives boards and sessions with their interfaces and properties")
  func managedObjects() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    try client.insert(["a"])
    let board = try client.board("other")
    let session = try client.drag(["x", "y"])
    let objects = try client.call(ObjectManagerInterface.getManagedObjects, at: Dragboard.root)
    #expect(Set(objects.keys) == [BusClient.board, board, session])
    for path in [BusClient.board, board] {
      #expect(objects[path].map { Set($0.keys) } == Self.boardInterfaces)
    }
    let properties = objects[BusClient.board]?[BoardInterface.name.text]?.mapValues(\.value)
    #expect(properties?["Name"] == .string("default"))
    #expect(properties?["Count"] == .uint32(1))
    #expect(properties?["Sections"] == .array(of: "s", [.string("main")]))
    #expect(objects[session].map { Set($0.keys) } == [DragSessionInterface.name.text])
    #expect(
      objects[session]?[DragSessionInterface.name.text]?["ItemCount"]?.value == .uint32(2))
  }

  @Test("InterfacesAdded and InterfacesRemoved report boards before the reply")
  func boards() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    _ = client.takeSignals()
    let board = try client.board("other")
    let added = client.next("InterfacesAdded")
    #expect(added.path == Dragboard.root.text)
    let (path, interfaces) = try added.message.arguments(
      as: ObjectPath.self, ObjectManagerInterface.Interfaces.self)
    #expect(path == board)
    #expect(Set(interfaces.keys) == Self.boardInterfaces)
    #expect(interfaces[BoardInterface.name.text]?["Name"]?.value == .string("other"))
    _ = try client.call(ManagerInterface.deleteBoard, at: Dragboard.root, "other")
    let removed = client.next("InterfacesRemoved")
    let (gone, names) = try removed.message.arguments(as: ObjectPath.self, [String].self)
    #expect(gone == board)
    #expect(Set(names) == Self.boardInterfaces)
  }

  @Test("The signals of a call come before its reply, and PropertiesChanged comes last")
  func order() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    func received() -> [String] { client.takeReceived().map(\.member) }
    let session = try client.drag(["x"])
    #expect(received() == ["InterfacesAdded", "DragBegan", "ItemsAdded", "PropertiesChanged"])
    _ = try client.call(DropTargetInterface.performDrop, session, "", 0, 0)
    let signals = received()
    #expect(
      signals.drop { $0 == "DropPending" } == [
        "WillEnd", "Changed", "DidTransferItems", "DidEnd", "DragEnded", "DropPerformed",
        "PropertiesChanged", "PropertiesChanged",
      ])
    _ = try client.call(BoardInterface.insertSection, "later", -1)
    #expect(received() == ["Changed", "PropertiesChanged"])
  }

  @Test("A session is added before DragBegan, and stays readable after its end")
  func sessions() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    let session = try client.drag(["x"])
    try client.cancel(session)
    let members = client.takeSignals().map(\.member)
    let added = try #require(members.firstIndex(of: "InterfacesAdded"))
    let began = try #require(members.firstIndex(of: "DragBegan"))
    #expect(added < began)
    #expect(!members.contains("InterfacesRemoved"))
    let objects = try client.call(ObjectManagerInterface.getManagedObjects, at: Dragboard.root)
    #expect(objects.keys.contains(session))
  }

  @Test("Unknown objects, interfaces, methods and properties, and wrong types, are refused by name")
  func unknown() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    func call(_ member: MemberName, _ interface: InterfaceName?, at path: ObjectPath) throws {
      try client.wait(for: .call(member, of: interface, at: path, to: Dragboard.busName))
    }
    expect(.unknownObject, naming: "nowhere") {
      try call("Clear", BoardInterface.name, at: "/org/dragboard/Dragboard1/board/nowhere")
    }
    expect(.unknownInterface, naming: "DragSession") {
      try call("Cancel", DragSessionInterface.name, at: BusClient.board)
    }
    expect(.unknownMethod, naming: "Shuffle") {
      try call("Shuffle", BoardInterface.name, at: BusClient.board)
    }
    expect(.invalidArgs, naming: "InsertText", "text: s") {
      try call("InsertText", BoardInterface.name, at: BusClient.board)
    }
    expect(.propertyReadOnly, naming: "Count") {
      try client.set(BoardInterface.count, to: Variant(.uint32(1)))
    }
    expect(.invalidArgs, naming: "MaxRows") {
      try client.set(BoardInterface.maxRows, to: Variant(.string("many")))
    }
    expect(.unknownProperty, naming: "Colour") {
      try client.set(
        PropertyDeclaration<String>(BoardInterface.name, "Colour"), to: Variant(.string("red")))
    }
    #expect(try client.get(BoardInterface.maxRows) == 0)
  }
}
