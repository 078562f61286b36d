import DBus
import DragboardInterface
import TestSupport
import Testing

/// The rights of sandboxed clients on a board.
@Suite(
  "Boards, for sandboxed clients",
  .enabled(
    if: Relay.Wall.mountNamespace.isPossible,
    "needs a mount namespace: root, or user namespaces that the system lets a user make"))
struct SandboxedBoardTests {
  private static let id = "org.boxed.App"

  /// A board of four rows: the sandboxed client inserted the rows at 0 and 2, and other clients
  /// inserted the rows at 1 and 3.
  private final class Scene {
    let daemon: Daemon
    let boxed: BusClient
    let free: BusClient
    let own: [String]
    let foreign: [String]
    private let relay: Relay

    init(_ options: String...) throws {
      daemon = try Daemon(options)
      relay = try Relay(on: daemon.bus, as: SandboxedBoardTests.id)
      (boxed, free) = (try relay.client(), try daemon.client())
      let other = try Relay(on: daemon.bus, as: "org.other.App")
      let own = try boxed.insert(["word own"])
      let foreign = try withExtendedLifetime(other) { try $0.client().insert(["word boxed"]) }
      self.own = try own + boxed.insert(["word own too"])
      self.foreign = try foreign + free.insert(["word free"])
    }
  }

  // MARK: Reading

  @Test("Rows of other clients show only their ids and positions")
  func closedRows() throws {
    let scene = try Scene()
    let client = scene.boxed
    for row in scene.foreign { _ = try scene.free.call(BoardInterface.setPinned, row, true) }
    let rows = try client.rows()
    #expect(rows.map(\.id) == [scene.own[0], scene.foreign[0], scene.own[1], scene.foreign[1]])
    #expect(rows.map(\.preview) == ["word own", "", "word own too", ""])
    for (row, isOwn) in zip(rows, [true, false, true, false]) {
      #expect(row.types.isEmpty == !isOwn)
      #expect(row.attributes["editable"] == .boolean(isOwn))
      #expect(row.attributes["movable"] == .boolean(isOwn))
      #expect(row.attributes["source"] == (isOwn ? .string(Self.id) : nil))
      #expect(Set(row.attributes.keys).isSubset(of: ["editable", "movable"]) == !isOwn)
    }
    #expect(try client.texts() == ["word own", "", "word own too", ""])
    #expect(try client.call(BoardInterface.search, "word", 0) == scene.own)
    #expect(try client.call(BoardInterface.search, "word", 1) == [scene.own[0]])
    #expect(try client.call(BoardInterface.search, "free", 0) == [])
    for (query, found) in [
      ("", rows.map(\.id)), ("word", scene.own.reversed()), ("own", scene.own.reversed()),
      ("wn", scene.own.reversed()), ("boxed", []), ("re", []), ("fre", []),
    ] {
      let page = try client.call(BoardInterface.findRows, query, 0, 0)
      #expect(page.1.map(\.members.2) == found, "\(query)")
      #expect(!page.2)
    }
    let all = try client.call(BoardInterface.findRows, "", 0, 0).1.map(\.members)
    #expect(all.map(\.3) == ["word own", "", "word own too", ""])
    #expect(all.map(\.4.isEmpty) == [false, true, false, true])
    for (place, item) in zip([1, 3] as [UInt32], scene.foreign) {
      #expect(try client.call(BoardInterface.getIndexPath, item) == (0, place))
      #expect(try client.call(BoardInterface.getTypes, item) == [])
      expect(.noSuchRepresentation, naming: item) {
        _ = try client.call(BoardInterface.getText, item)
      }
      expect(.noSuchRepresentation, naming: item) {
        _ = try client.call(BoardInterface.getData, item, "*/*")
      }
      expect(.noSuchRepresentation, naming: item) {
        _ = try client.call(BoardInterface.getFile, item, "*/*")
      }
      expect(.accessDenied, naming: item) { _ = try client.drag(rows: [item], as: "") }
      expect(.accessDenied, naming: item) {
        _ = try client.call(DragSourceInterface.beginRowDrag, "", 0, place)
      }
    }
    #expect(try client.call(BoardInterface.getSnapshot).1[0].members.1.count == 4)
    #expect(try client.get(BoardInterface.count) == 4)
    #expect(try client.get(ManagerInterface.sessions, at: Dragboard.root) == [])
  }

  @Test("A sandboxed client reads its own rows by every call")
  func ownRows() throws {
    let scene = try Scene()
    let (client, item) = (scene.boxed, scene.own[1])
    #expect(try client.call(BoardInterface.getTypes, item) == ["text/plain;charset=utf-8"])
    #expect(try client.call(BoardInterface.getText, item) == "word own too")
    #expect(try client.call(BoardInterface.getData, item, "*/*") == Array("word own too".utf8))
    let file = try client.call(BoardInterface.getFile, item, "text/*")
    #expect(TestFile.rest(of: file) == Array("word own too".utf8))
    let session = try client.drag(rows: [item], as: "")
    #expect(try client.loadText(of: session) == "word own too")
  }

  @Test("Another connection of the sandbox has the same rows, also after restarts")
  func sameSandbox() throws {
    let scene = try Scene()
    scene.daemon.kill()
    try scene.daemon.start()
    let relay = try Relay(on: scene.daemon.bus, as: Self.id)
    let client = try relay.client()
    #expect(try client.texts() == ["word own", "", "word own too", ""])
    withExtendedLifetime(relay) {}
  }

  @Test("With sandboxed-read a sandboxed client reads every row, and may change only its own")
  func opened() throws {
    let scene = try Scene("--sandboxed-read", "true")
    let (client, item) = (scene.boxed, scene.foreign[1])
    #expect(try client.texts() == ["word own", "word boxed", "word own too", "word free"])
    #expect(try client.rows().map(\.preview) == client.texts())
    #expect(
      try client.rows().map { $0.attributes["source"] }
        == scene.free.rows().map { $0.attributes["source"] })
    #expect(try client.rows()[3].attributes["editable"] == .boolean(false))
    #expect(try client.call(BoardInterface.search, "word", 0).count == 4)
    #expect(try client.call(BoardInterface.findRows, "ord", 0, 0).1.count == 4)
    #expect(try client.call(BoardInterface.getText, item) == "word free")
    #expect(try client.call(BoardInterface.getData, item, "*/*") == Array("word free".utf8))
    let session = try client.drag(rows: [item], as: "")
    #expect(try client.loadText(of: session) == "word free")
    #expect(try client.propose(session, as: "", row: 0).operation == "forbidden")
    #expect(try client.drop(session, as: "", row: 0).operation == "forbidden")
    #expect(try client.texts().last == "word free")
  }

  // MARK: Changing

  /// An edit that only an unsandboxed client may make.
  private struct RefusedEdit: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let make: @Sendable (Scene) throws -> Void

    init(_ name: String, _ make: @escaping @Sendable (Scene) throws -> Void) {
      (testDescription, self.make) = (name, make)
    }
  }

  private static let refusedEdits = [
    RefusedEdit("SetText") {
      _ = try $0.boxed.call(BoardInterface.setText, $0.foreign[0], "x")
    },
    RefusedEdit("SetText, large") {
      let text = String(repeating: "x", count: 70_000)
      _ = try $0.boxed.call(BoardInterface.setText, $0.foreign[0], text)
    },
    RefusedEdit("ReplaceText") {
      _ = try $0.boxed.call(BoardInterface.replaceText, 0, $0.foreign[0], "x")
    },
    RefusedEdit("SetItemName") {
      _ = try $0.boxed.call(BoardInterface.setItemName, $0.foreign[0], "x")
    },
    RefusedEdit("SetEditable") {
      _ = try $0.boxed.call(BoardInterface.setEditable, $0.foreign[0], false)
    },
    RefusedEdit("SetMovable") {
      _ = try $0.boxed.call(BoardInterface.setMovable, $0.foreign[0], false)
    },
    RefusedEdit("SetPinned") {
      _ = try $0.boxed.call(BoardInterface.setPinned, $0.foreign[0], true)
    },
    RefusedEdit("MoveRow") { _ = try $0.boxed.call(BoardInterface.moveRow, 0, 1, 0, 0) },
    RefusedEdit("MoveItems") {
      _ = try $0.boxed.call(BoardInterface.moveItems, [$0.own[0], $0.foreign[0]], 0, -1)
    },
    RefusedEdit("DeleteRow") { _ = try $0.boxed.call(BoardInterface.deleteRow, 0, 1) },
    RefusedEdit("StackItems") {
      _ = try $0.boxed.call(BoardInterface.stackItems, [$0.own[0], $0.foreign[0]], 0, -1, "s")
    },
    RefusedEdit("DeleteItems") {
      _ = try $0.boxed.call(BoardInterface.deleteItems, [$0.own[0], $0.foreign[0]])
    },
    RefusedEdit("Clear") { _ = try $0.boxed.call(BoardInterface.clear) },
    RefusedEdit("Erase") { _ = try $0.boxed.call(BoardInterface.erase, true) },
    RefusedEdit("InsertSection") {
      _ = try $0.boxed.call(BoardInterface.insertSection, "x", -1)
    },
    RefusedEdit("RenameSection") { _ = try $0.boxed.call(BoardInterface.renameSection, 0, "x") },
    RefusedEdit("MoveSection") { _ = try $0.boxed.call(BoardInterface.moveSection, 0, 1) },
    RefusedEdit("DeleteSection") { _ = try $0.boxed.call(BoardInterface.deleteSection, 1) },
    RefusedEdit("ApplySnapshot") {
      let sections = [BoardInterface.Section("main", [])]
      _ = try $0.boxed.call(BoardInterface.applySnapshot, 0, sections)
    },
    RefusedEdit("ApplyOrder") {
      _ = try $0.boxed.call(BoardInterface.applyOrder, 0, 0, $0.own + $0.foreign)
    },
    RefusedEdit("ReserveItems") { _ = try $0.boxed.call(BoardInterface.reserveItems, 1) },
    RefusedEdit("ApplyEdits") {
      let edit = BoardInterface.Edit("delete", $0.own[0], 0, 0, [:], [])
      _ = try $0.boxed.call(BoardInterface.applyEdits, 0, [edit])
    },
    RefusedEdit("Undo") { _ = try $0.boxed.call(BoardInterface.undo) },
    RefusedEdit("Redo") { _ = try $0.boxed.call(BoardInterface.redo) },
    RefusedEdit("SetAcceptedTypes") {
      _ = try $0.boxed.call(BoardInterface.setAcceptedTypes, ["*/*"])
    },
    RefusedEdit("MaxRows") { try $0.boxed.set(BoardInterface.maxRows, to: Variant(.uint32(1))) },
    RefusedEdit("MovesMultipleRows") {
      try $0.boxed.set(BoardInterface.movesMultipleRows, to: true)
    },
    RefusedEdit("RetainRows") {
      try $0.boxed.set(BoardInterface.retainRows, to: Variant(.uint32(1)))
    },
    RefusedEdit("RetainSeconds") {
      try $0.boxed.set(BoardInterface.retainSeconds, to: Variant(.uint32(1)))
    },
    RefusedEdit("MovesDuplicates") { try $0.boxed.set(BoardInterface.movesDuplicates, to: true) },
    RefusedEdit("CreateBoard") { _ = try $0.boxed.board("x") },
    RefusedEdit("RenameBoard") {
      _ = try $0.boxed.call(ManagerInterface.renameBoard, at: Dragboard.root, "free", "x")
    },
    RefusedEdit("DeleteBoard") {
      _ = try $0.boxed.call(ManagerInterface.deleteBoard, at: Dragboard.root, "free")
    },
    RefusedEdit("DiscardBoard") {
      _ = try $0.boxed.call(ManagerInterface.discardBoard, at: Dragboard.root, "free", 0)
    },
    RefusedEdit("RestoreBoard") { _ = try $0.boxed.restoreBoard("gone") },
    RefusedEdit("GetDeletedBoards") { _ = try $0.boxed.deletedBoards() },
  ]

  @Test(
    "A sandboxed client may not change foreign rows, the order, sections, settings or boards",
    arguments: refusedEdits)
  private func refusals(edit: RefusedEdit) throws {
    try checkRefusal(of: edit, in: Scene())
  }

  @Test(
    "With sandboxed-read a sandboxed client may change no more than without it",
    arguments: refusedEdits)
  private func openedRefusals(edit: RefusedEdit) throws {
    try checkRefusal(of: edit, in: Scene("--sandboxed-read", "true"))
  }

  private func checkRefusal(of edit: RefusedEdit, in scene: Scene) throws {
    _ = try scene.free.board("free")
    _ = try scene.free.call(BoardInterface.insertSection, "second", -1)
    let before = try scene.free.contents()
    expect(.accessDenied) { try edit.make(scene) }
    #expect(try scene.free.contents() == before)
    #expect(try scene.free.get(ManagerInterface.boards, at: Dragboard.root).count == 2)
    #expect(try scene.free.get(BoardInterface.maxRows) == 0)
    #expect(try scene.free.rows()[1].attributes["editable"] == .boolean(true))
    #expect(try scene.free.rows()[1].attributes["pinned"] == nil)
  }

  @Test("A sandboxed client changes, moves, drags and deletes its own rows, and inserts anywhere")
  func ownEdits() throws {
    let scene = try Scene()
    let (client, own) = (scene.boxed, scene.own)
    _ = try client.call(BoardInterface.setText, own[0], "changed")
    _ = try client.call(BoardInterface.setEditable, own[0], false)
    expect(.notEditable) { _ = try client.call(BoardInterface.setText, own[0], "x") }
    _ = try client.call(BoardInterface.setEditable, own[0], true)
    _ = try client.call(BoardInterface.setPinned, own[0], true)
    #expect(try client.rows()[0].attributes["pinned"] == .boolean(true))
    _ = try client.call(BoardInterface.moveRow, 0, 0, 0, 3)
    #expect(
      try scene.free.texts() == ["word boxed", "word own too", "word free", "changed"])
    let session = try client.drag(rows: [own[1]], as: "")
    #expect(try client.drop(session, as: "", row: 0).operation == "move")
    _ = try client.call(BoardInterface.moveItems, [own[0]], 0, 0)
    #expect(
      try scene.free.texts() == ["changed", "word own too", "word boxed", "word free"])
    _ = try client.insert(["new"], at: 3)
    #expect(try client.texts() == ["changed", "word own too", "", "new", ""])
    _ = try client.call(BoardInterface.deleteItems, [own[0]])
    _ = try client.call(BoardInterface.deleteRow, 0, 0)
    #expect(try scene.free.texts() == ["word boxed", "new", "word free"])
  }

  @Test("Large texts, data and files of a sandboxed client belong to it")
  func largeContents() throws {
    let scene = try Scene()
    let client = scene.boxed
    let large = String(repeating: "x", count: 70_000)
    _ = try client.call(BoardInterface.setText, scene.own[0], large)
    _ = try client.call(BoardInterface.insertText, 0, -1, large)
    _ = try client.call(BoardInterface.insertData, 0, -1, "text/html", Array("<b>".utf8))
    let file = try TestFile.memory(Array("<i>".utf8))
    _ = try client.call(BoardInterface.insertFile, 0, -1, "text/html", file)
    let sources = try scene.free.rows().map { $0.attributes["source"] }
    #expect(sources.count == 7)
    #expect(([sources[0]] + sources[4...]).allSatisfy { $0 == .string(Self.id) })
    #expect(try client.call(BoardInterface.getText, scene.own[0]) == large)
  }

  @Test(
    "A sandboxed client deletes up to 10,000 rows in one call, an unsandboxed client any number"
  )
  func manyRows() throws {
    let scene = try Scene()
    let own = try scene.boxed.insert([String](repeating: "x", count: 10_001))
    expect(.limitsExceeded, naming: "items", "10000") {
      _ = try scene.boxed.call(BoardInterface.deleteItems, own)
    }
    #expect(try scene.free.get(BoardInterface.count) == 10_005)
    _ = try scene.boxed.call(BoardInterface.deleteItems, Array(own[..<10_000]))
    let more = try scene.boxed.insert([String](repeating: "x", count: 10_001))
    _ = try scene.free.call(BoardInterface.deleteItems, more)
    #expect(try scene.free.get(BoardInterface.count) == 5)
  }

  // MARK: Drops

  @Test("A row that a sandboxed client drags onto a board is its own, by id and by unique name")
  func droppedRows() throws {
    let scene = try Scene()
    for application in ["", Self.id] {
      let session = try scene.boxed.drag(["dropped"], as: application)
      let items = try scene.free.drop(session, as: "org.any.App").items
      #expect(try scene.boxed.call(BoardInterface.getText, items[0]) == "dropped")
      #expect(try scene.free.rows().last?.attributes["source"] == .string(Self.id))
    }
  }

  @Test("A row that a sandboxed client drops for another source belongs to that source")
  func foreignDrop() throws {
    let scene = try Scene()
    for source in ["org.any.App", ""] {
      let session = try scene.free.drag(["x"], as: source)
      let result = try scene.boxed.drop(session, as: "")
      #expect(result.operation == "copy")
      expect(.noSuchRepresentation) {
        _ = try scene.boxed.call(BoardInterface.getText, result.items[0])
      }
      #expect(
        try scene.free.rows().last?.attributes["source"]
          == .string(source.isEmpty ? scene.free.name : source))
    }
  }
}
