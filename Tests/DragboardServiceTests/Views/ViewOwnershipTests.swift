import DBus
import DragboardInterface
import TestSupport
import Testing

@Suite("The owner of a view")
struct ViewOwnershipTests {
  let daemon: Daemon
  let client: BusClient
  let other: BusClient

  init() throws {
    daemon = try Daemon()
    client = try daemon.client()
    other = try daemon.client()
  }

  /// Every call that only the view's own application may make; the last one closes it.
  private func calls(
    _ view: ObjectPath, _ item: String
  ) -> [(name: String, call: (BusClient) throws -> Void)] {
    [
      ("Select", { try $0.select([item], in: view) }),
      ("SelectRow", { try $0.call(ViewInterface.selectRow, at: view, 0, 0) }),
      ("SetReselect", { try $0.setReselect(in: view) }), ("Commit", { try $0.commit(in: view) }),
      ("Reselect", { try $0.reselect(in: view) }),
      (
        "AllowsMultipleSelection",
        { try $0.set(ViewInterface.allowsMultipleSelection, to: true, at: view) }
      ),
      ("SetEditing", { try $0.setEditing(true, in: view) }),
      ("Deselect", { try $0.call(ViewInterface.deselect, at: view) }),
      ("Close", { try $0.close(view) }),
    ]
  }

  @Test("Only its connection can change a view; every client can read it")
  func connection() throws {
    let items = try client.insert(["a", "b"])
    for application in ["", client.name] {
      let view = try client.openView(as: application)
      #expect(try other.get(ViewInterface.application, at: view) == client.name)
      try client.select([items[1]], in: view)
      try client.setReselect(in: view)
      let before = try client.look(at: view)
      _ = other.takeSignals()
      for (name, call) in calls(view, items[0]) {
        let error = #expect(throws: DBusError.self, "\(name)") { try call(other) }
        #expect(error?.name == .accessDenied, "\(name)")
        #expect(error?.message.contains(client.name) == true, "\(name)")
        #expect(error?.message.contains(view.text) == true, "\(name)")
      }
      #expect(other.takeSignals().isEmpty)
      #expect(try other.look(at: view) == before)
      for (name, call) in calls(view, items[0]) {
        #expect(throws: Never.self, "\(name)") { try call(client) }
      }
      #expect(try !other.objects().contains(view))
    }
  }

  @Test("The caller is checked before the named objects, and before edit mode")
  func identityFirst() throws {
    let view = try client.openView(as: "")
    try client.setEditing(true, in: view)
    expect(.accessDenied, naming: client.name) { try other.select(["nothing"], in: view) }
    expect(.accessDenied, naming: client.name) {
      try other.call(ViewInterface.selectRow, at: view, 9, 9)
    }
    expect(.accessDenied, naming: client.name) { try other.commit(in: view) }
    expect(.invalidArgs, naming: "items", "twice") { try other.select(["x", "x"], in: view) }
    expect(.invalidArgs, naming: "AllowsMultipleSelection") {
      try other.set(
        ViewInterface.allowsMultipleSelection, to: Variant(.string("yes")), at: view)
    }
  }

  @Test("Every connection of an application can use the application's view")
  func application() throws {
    let items = try client.insert(["a", "b"])
    let view = try client.openView(as: "org.x")
    try client.select([items[1]], in: view)
    client.leave()
    #expect(try other.get(ViewInterface.application, at: view) == "org.x")
    #expect(try other.look(at: view) == ViewLook(selection: [items[1]]))
    for (name, call) in calls(view, items[0]) {
      #expect(throws: Never.self, "\(name)") { try call(try daemon.client()) }
    }
    #expect(try other.objects() == [BusClient.board])
  }

  @Test("A view is opened for an application id or for the caller only")
  func opening() throws {
    for application in ["notes", "org.gnome.Notes", String(repeating: "a", count: 255)] {
      let view = try client.openView(as: application)
      #expect(try client.get(ViewInterface.application, at: view) == application)
    }
    let before = try client.objects()
    for application in [".", "org..x", "my notes", "*", String(repeating: "a", count: 256)] {
      expect(.invalidArgs, naming: "application", "letters, digits") {
        _ = try client.openView(as: application)
      }
    }
    for application in [other.name, ":1.99999", ":"] {
      expect(.accessDenied, naming: "application") { _ = try client.openView(as: application) }
    }
    #expect(try client.objects() == before)
  }

  @Test(
    "Views of a connection close when it leaves the bus; views of an application stay until Close")
  func departure() throws {
    let own = [try client.openView(as: ""), try client.openView(as: client.name)]
    let lasting = [try client.openView(as: "org.x"), try other.openView(as: "")]
    let items = try other.insert(["a", "b"])
    for view in [own[0], lasting[0]] { try client.select([items[0]], in: view) }
    _ = other.takeSignals()
    client.leave()
    #expect(try Set([other.nextGone(), other.nextGone()]) == Set(own))
    #expect(try other.objects() == [BusClient.board, lasting[0], lasting[1]])
    for view in own {
      expect(.unknownObject, naming: view.text) { try other.setReselect(in: view) }
    }
    _ = try other.call(BoardInterface.deleteRow, 0, 0)
    #expect(try other.reselect(in: lasting[0]) == items[1])
    try other.close(lasting[0])
    #expect(try other.nextGone() == lasting[0])
    expect(.unknownObject, naming: lasting[0].text) { try other.close(lasting[0]) }
  }
}
