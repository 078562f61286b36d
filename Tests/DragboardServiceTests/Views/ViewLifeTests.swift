import DBus
import DragboardInterface
import TestSupport
import Testing

@Suite("The life of views")
struct ViewLifeTests {
  /// Returns the interfaces and properties of an InterfacesAdded.
  private func added(
    _ client: BusClient
  ) throws -> (path: ObjectPath, interfaces: [String: [String: Value]]) {
    let (path, interfaces) = try client.next("InterfacesAdded").message.arguments(
      as: ObjectPath.self, ObjectManagerInterface.Interfaces.self)
    return (path, interfaces.mapValues { $0.mapValues(\.value) })
  }

  @Test("Many views of one board, each with its own state, follow the same edits")
  func many() throws {
    let daemon = try Daemon()
    let editor = try daemon.client()
    let viewers = try (0..<3).map { _ in try daemon.client() }
    let items = try editor.insert((0..<12).map { "\($0)" })
    let views = try items.indices.map { try viewers[$0 % 3].openView(as: "") }
    for (index, view) in views.enumerated() {
      try viewers[index % 3].select([items[index]], in: view)
      if index % 4 == 1 { try viewers[index % 3].setEditing(true, in: view) }
      if index % 4 == 2 { try viewers[index % 3].setReselect(in: view) }
    }
    _ = editor.takeSignals()
    _ = try editor.call(BoardInterface.moveRow, 0, 11, 0, 0)
    _ = try editor.call(BoardInterface.deleteItems, Array(items[0...6]))
    let told = editor.takeSignals().filter { $0.member == "PropertiesChanged" }.map(\.path)
    // Two of the seven views whose row was deleted are in edit mode, so their selection is already
    // empty.
    #expect(Set(told) == Set([0, 2, 3, 4, 6].map { views[$0].text }))
    #expect(told.count == 5)
    for (index, view) in views.enumerated() {
      let look = ViewLook(
        isEditing: index % 4 == 1, selection: index > 6 && index % 4 != 1 ? [items[index]] : [],
        pending: index % 4 == 2 ? items[max(index, 7)] : "")
      #expect(try editor.look(at: view) == look, "\(index)")
      if look.isEditing { try viewers[index % 3].setEditing(false, in: view) }
      #expect(try viewers[index % 3].reselect(in: view) == items[max(index, 7)], "\(index)")
    }
  }

  @Test("A view follows only its own board")
  func boards() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    let other = try client.board("other")
    let items = try [client.insert(["a", "b"]), client.insert(["a", "b"], on: other)]
    let views = [try client.openView(), try client.openView(of: other)]
    #expect(try client.get(ViewInterface.board, at: views[1]) == other)
    for (view, items) in zip(views, items) { try client.select([items[0]], in: view) }
    _ = try client.call(BoardInterface.deleteRow, at: other, 0, 0)
    #expect(try client.look(at: views[0]).selection == [items[0][0]])
    #expect(try client.look(at: views[1]).selection == [])
    #expect(try client.reselect(in: views[1]) == items[1][1])
    expect(.noSuchItem, naming: "other") { try client.select([items[0][0]], in: views[1]) }
  }

  @Test("All boards and applications together have a maximum number of views")
  func limit() throws {
    let daemon = try Daemon("--max-views", "2")
    let client = try daemon.client()
    let leaving = try daemon.client()
    let other = try client.board("other")
    func expectFull() throws {
      let before = try client.objects()
      for board in [BusClient.board, other] {
        expect(.limitsExceeded, naming: "max-views", "2") {
          _ = try client.openView(of: board, as: "org.z")
        }
      }
      #expect(try client.objects() == before)
    }
    let first = try client.openView(as: "org.x")
    _ = try client.openView(of: other, as: "org.y")
    try expectFull()
    expect(.invalidArgs, naming: "application") { _ = try client.openView(as: "*") }
    try client.close(first)
    let own = try leaving.openView(as: "")
    try expectFull()
    _ = client.takeSignals()
    leaving.leave()
    #expect(try client.nextGone() == own)
    _ = try client.openView()
    try expectFull()
    _ = try client.call(ManagerInterface.deleteBoard, at: Dragboard.root, "other")
    _ = try client.openView()
  }

  @Test("DeleteBoard closes the views of the board before the board, and nothing else")
  func boardDeleted() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    let other = try client.board("other")
    let items = try client.insert(["a"], on: other)
    let views = try [client.openView(of: other), client.openView(of: other, as: "")]
    let kept = try client.openView()
    try client.select(items, in: views[0])
    _ = client.takeSignals()
    _ = try client.call(ManagerInterface.deleteBoard, at: Dragboard.root, "other")
    let gone = try client.takeSignals().filter { $0.member == "InterfacesRemoved" }.map {
      try $0.message.arguments(as: ObjectPath.self, [String].self).0
    }
    #expect(gone.count == 3 && Set(gone.prefix(2)) == Set(views) && gone.last == other)
    for view in views {
      expect(.unknownObject, naming: view.text) { try client.reselect(in: view) }
    }
    #expect(try client.objects() == [BusClient.board, kept])
    _ = try client.board("other")
    #expect(try client.objects() == [BusClient.board, kept, other])
  }

  @Test("A view does not survive a restart, and its number is never used twice")
  func restarts() throws {
    let daemon = try Daemon()
    var paths: [String] = []
    for round in 0..<4 {
      let client = try daemon.client()
      #expect(try client.objects() == [BusClient.board])
      if let last = try paths.last.map({ try ObjectPath($0) }) {
        expect(.unknownObject, naming: last.text) { try client.reselect(in: last) }
      }
      for _ in 0..<2 { paths.append(try client.openView().text) }
      try client.close(try ObjectPath(paths[paths.count - 1]))
      paths.append(try client.openView(as: "").text)
      if round % 2 == 0 { daemon.kill() } else { _ = daemon.terminate() }
      try daemon.start()
    }
    #expect(Set(paths).count == 12)
  }

  // MARK: ObjectManager

  @Test("InterfacesAdded reports a view, and InterfacesRemoved its end, before the reply")
  func told() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    _ = client.takeSignals()
    let view = try client.openView(as: "")
    #expect(client.signals.map(\.member) == ["InterfacesAdded"])
    #expect(client.signals.first?.path == Dragboard.root.text)
    let (path, interfaces) = try added(client)
    #expect(path == view)
    let properties = ViewLook().properties.merging([
      "Board": .objectPath(BusClient.board), "Application": .string(client.name),
    ]) { $1 }
    #expect(interfaces == [ViewInterface.name.text: properties])
    try client.close(view)
    #expect(client.signals.map(\.member) == ["InterfacesRemoved"])
    let removed = try client.next("InterfacesRemoved").message.arguments(
      as: ObjectPath.self, [String].self)
    #expect(removed.0 == view && removed.1 == [ViewInterface.name.text])
  }

  @Test("GetManagedObjects gives boards, sessions and views as they are")
  func managed() throws {
    let scene = try ViewScene()
    let (viewer, view) = (scene.viewer, scene.view)
    let session = try viewer.drag(["x"])
    try scene.perform(.allowMultiple(true))
    try scene.select("ac")
    try scene.perform(.setReselect)
    let objects = try viewer.call(ObjectManagerInterface.getManagedObjects, at: Dragboard.root)
    #expect(Set(objects.keys) == [BusClient.board, session, view])
    #expect(objects[BusClient.board]?.keys.contains(ViewsInterface.name.text) == true)
    let look = ViewLook(
      selection: try scene.rows("ac"), pending: try scene.row("a"), allowsMultipleSelection: true)
    let properties = objects[view]?[ViewInterface.name.text]?.mapValues(\.value)
    #expect(properties?.filter { look.properties.keys.contains($0.key) } == look.properties)
    #expect(properties?["Board"] == .objectPath(BusClient.board))
  }

  @Test("The signals of ObjectManager keep a copy of GetManagedObjects up to date")
  func kept() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    let observer = try daemon.client()
    var kept = try observer.objects()
    func check() throws {
      for signal in observer.takeSignals() {
        switch signal.member {
        case "InterfacesAdded":
          let path = try signal.message.arguments(
            as: ObjectPath.self, ObjectManagerInterface.Interfaces.self
          ).0
          #expect(kept.insert(path).inserted)
        case "InterfacesRemoved":
          let path = try signal.message.arguments(as: ObjectPath.self, [String].self).0
          #expect(kept.remove(path) != nil)
        default: break
        }
      }
      #expect(try observer.objects() == kept)
    }
    let board = try client.board("other")
    try check()
    let views = try [client.openView(of: board), client.openView(), client.openView(of: board)]
    let session = try client.drag(["x"])
    try check()
    try client.close(views[2])
    try client.drop(session, on: board)
    try check()
    _ = try client.call(ManagerInterface.deleteBoard, at: Dragboard.root, "other")
    try check()
    #expect(kept == [BusClient.board, views[1], session])
  }
}
