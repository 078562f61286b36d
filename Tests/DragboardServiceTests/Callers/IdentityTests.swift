import DBus
import DragboardInterface
import TestSupport
import Testing

@Suite("Identity")
struct IdentityTests {
  let daemon: Daemon
  let client: BusClient
  let other: BusClient

  init() throws {
    daemon = try Daemon()
    client = try daemon.client()
    other = try daemon.client()
  }

  /// Returns every call with an argument for an application, by name.
  private func calls(_ application: String) throws -> [(name: String, call: () throws -> Void)] {
    let row = try client.insert(["a"])[0]
    let session = try client.drag(["x"])
    return [
      ("Manager.BeginDrag", { _ = try client.beginDrag(as: application) }),
      ("BeginTextDrag", { _ = try client.drag(["x"], as: application) }),
      ("DragSource.BeginDrag", { _ = try client.drag(rows: [row], as: application) }),
      (
        "BeginRowDrag",
        { _ = try client.call(DragSourceInterface.beginRowDrag, application, 0, 0) }
      ),
      ("ProposeDrop", { _ = try client.propose(session, as: application) }),
      ("ExitDrop", { _ = try client.call(DropTargetInterface.exitDrop, session, application) }),
      ("PerformDrop", { try client.drop(session, as: application) }),
    ]
  }

  @Test(
    "Every call accepts an application id, the caller's unique name, or an empty text",
    arguments: [
      "", ":", "notes", "org.gnome.Notes", "7-zip_2.x", String(repeating: "a", count: 255),
    ])
  func wellFormed(application: String) throws {
    let application = application == ":" ? client.name : application
    for (name, call) in try calls(application) {
      #expect(throws: Never.self, "\(name)") { try call() }
    }
    let session = try client.beginDrag(as: application)
    #expect(
      try client.get(DragSessionInterface.application, at: session)
        == (application.isEmpty ? client.name : application))
  }

  @Test(
    "Every call refuses a malformed id, and the error has the valid format",
    arguments: [
      ".", ".notes", "notes.", "org..Notes", "my notes", "org/notes", "nötes", "org.notes\n",
      "*", String(repeating: "a", count: 256),
    ])
  func malformed(application: String) throws {
    for (_, call) in try calls(application) {
      expect(.invalidArgs, naming: "application", "letters, digits") { try call() }
    }
  }

  @Test("Every call refuses another connection's unique name, connected or not")
  func foreignNames() throws {
    for name in [other.name, ":1.99999", ":", ":not a name"] {
      for (_, call) in try calls(name) {
        expect(.accessDenied, naming: "application") { try call() }
      }
    }
    #expect(try client.get(ManagerInterface.sessions, at: Dragboard.root).count == 4)
  }

  @Test("A client other than the source may neither change nor cancel the drag")
  func notTheSource() throws {
    let session = try client.drag(["x"], as: "")
    let calls: [(String, (BusClient) throws -> Void)] = [
      ("AddText", { _ = try $0.call(DragSessionInterface.addText, at: session, "y") }),
      ("AddItem", { _ = try $0.call(DragSessionInterface.addItem, at: session, "y") }),
      ("RegisterData", { try $0.register("text/html", "<b>", of: session) }),
      ("AllowsMove", { try $0.set(DragSessionInterface.allowsMove, to: false, at: session) }),
      (
        "RestrictedToApplication",
        { try $0.set(DragSessionInterface.restrictedToApplication, to: true, at: session) }
      ),
      (
        "SetExpectedSize",
        { _ = try $0.call(DragSessionInterface.setExpectedSize, at: session, 0, "text/html", 1) }
      ),
      ("RegisterText", { _ = try $0.call(DragSessionInterface.registerText, at: session, 1, "y") }),
      ("Cancel", { try $0.cancel(session) }),
    ]
    for (name, call) in calls {
      let error = #expect(throws: DBusError.self, "\(name)") { try call(other) }
      #expect(error?.name == .accessDenied, "\(name)")
      #expect(error?.message.contains(client.name) == true, "\(name)")
    }
    #expect(try client.standing(of: session) == "active ")
    #expect(try client.get(DragSessionInterface.itemCount, at: session) == 1)
    #expect(try client.get(DragSessionInterface.allowsMove, at: session))
    for (name, call) in calls where name != "SetExpectedSize" && name != "RegisterText" {
      #expect(throws: Never.self, "\(name)") { try call(client) }
    }
    #expect(try client.standing(of: session) == "ended cancel")
  }

  @Test("Every connection counts as an application by its id, one after the other or at once")
  func applicationIDs() throws {
    let session = try client.beginDrag(as: "org.x")
    client.leave()
    _ = try other.call(DragSessionInterface.addText, at: session, "x")
    let third = try daemon.client()
    try third.set(DragSessionInterface.allowsMove, to: false, at: session)
    #expect(try other.get(DragSessionInterface.allowsMove, at: session) == false)
    try third.cancel(session)
    #expect(try other.standing(of: session) == "ended cancel")
  }

  @Test("A drag of rows is local only for its application, not for others of the team")
  func locality() throws {
    let row = try client.insert(["a"])[0]
    for (source, target, operation) in [
      ("org.x.a", "org.x.a", "move"), ("org.x.a", "org.x.b", "copy"), ("", "", "move"),
      ("", client.name, "move"), (client.name, "", "move"), ("org.x", "", "copy"),
      ("", "org.x", "copy"),
    ] {
      let session = try client.drag(rows: [row], as: source)
      #expect(try client.propose(session, as: target).operation == operation, "\(source) \(target)")
    }
    let session = try client.drag(rows: [row], as: "")
    #expect(try other.propose(session, as: "").operation == "copy")
  }

  @Test(
    "A type that the caller may not see is missing in GetTypes and CanLoad")
  func visibility() throws {
    let session = try client.beginDrag(as: "")
    _ = try client.call(DragSessionInterface.addItem, at: session, "")
    let types = [
      ("image/png", "all"), ("image/jpeg", "team"), ("image/tiff", "group"),
      ("text/html", "own-process"),
    ]
    for (type, visibility) in types {
      try client.register(type, "x", visibility: visibility, of: session)
    }
    #expect(
      try client.call(DragSessionInterface.getTypes, at: session, 0) == types.map(\.0))
    #expect(try other.call(DragSessionInterface.getTypes, at: session, 0) == ["image/png"])
    for (type, visibility) in types {
      #expect(try client.call(DragSessionInterface.canLoad, at: session, type))
      #expect(
        try other.call(DragSessionInterface.canLoad, at: session, type) == (visibility == "all"))
    }
    #expect(try other.call(DragSessionInterface.canLoad, at: session, "text/*") == false)
    expect(.invalidArgs, naming: "visibility", "own-process") {
      try client.register("text/rtf", "x", visibility: "everybody", of: session)
    }
  }

  @Test(
    "Every unsandboxed connection is the source of a drag by an application id, and sees all of it")
  func visibilityOfApplicationIDs() throws {
    let session = try client.beginDrag(as: "org.x.a")
    _ = try client.call(DragSessionInterface.addItem, at: session, "")
    for (type, visibility) in [("image/png", "own-process"), ("image/jpeg", "team")] {
      try client.register(type, "x", visibility: visibility, of: session)
    }
    #expect(
      try other.call(DragSessionInterface.getTypes, at: session, 0) == ["image/png", "image/jpeg"])
  }
}
