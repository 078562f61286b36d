import DBus
import DragboardInterface
import Foundation
import TestSupport
import Testing

@Suite("Properties and signals of active drags")
struct SessionListTests {
  @Test(
    "Sessions lists the active sessions, oldest first; Dragging is true if there are any")
  func list() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    func list() throws -> [ObjectPath] {
      try client.get(ManagerInterface.sessions, at: Dragboard.root)
    }
    func isDragging() throws -> Bool {
      try client.get(ManagerInterface.dragging, at: Dragboard.root)
    }
    #expect(try (list(), isDragging()) == ([], false))
    let sessions = [try client.drag(["x"]), try client.beginDrag(), try client.drag(["z"])]
    #expect(try (list(), isDragging()) == (sessions, true))
    try client.drop(sessions[0])
    #expect(try (list(), isDragging()) == (Array(sessions[1...]), true))
    try client.cancel(sessions[2])
    try client.cancel(sessions[1])
    #expect(try (list(), isDragging()) == ([], false))
  }

  @Test("PropertiesChanged reports every change of Sessions, and every change of Dragging")
  func told() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    func changes() throws -> [[String: Value]] {
      try client.takeSignals().filter {
        $0.member == "PropertiesChanged" && $0.path == Dragboard.root.text
      }.map { try $0.changedProperties }
    }
    func paths(_ sessions: ObjectPath...) -> Value {
      .array(of: "o", sessions.map { .objectPath($0) })
    }
    let first = try client.beginDrag()
    #expect(try changes() == [["Sessions": paths(first), "Dragging": .boolean(true)]])
    let second = try client.beginDrag()
    #expect(try changes() == [["Sessions": paths(first, second)]])
    try client.cancel(first)
    #expect(try changes() == [["Sessions": paths(second)]])
    try client.cancel(second)
    #expect(try changes() == [["Sessions": paths(), "Dragging": .boolean(false)]])
  }

  @Test("HasActiveDrag is true while one or more sessions drag rows of the board")
  func hasActiveDrag() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    let rows = try client.insert(["a", "b"])
    let other = try client.board("other")
    func isActive() throws -> Bool { try client.get(BoardInterface.hasActiveDrag) }
    func told() throws -> [Value] {
      try client.takeChanges(of: "HasActiveDrag", at: BusClient.board)
    }
    let foreign = try client.drag(["x"])
    #expect(try (isActive(), told()) == (false, []))
    let first = try client.drag(rows: [rows[0]])
    #expect(try (isActive(), told()) == (true, [.boolean(true)]))
    let second = try client.drag(rows: rows)
    try client.drop(first, on: other)
    try client.cancel(foreign)
    #expect(try (isActive(), told()) == (true, []))
    try client.cancel(second)
    #expect(try (isActive(), told()) == (false, [.boolean(false)]))
    #expect(try client.get(BoardInterface.hasActiveDrag, at: other) == false)
  }

  @Test("PropertiesChanged reports every change of a session")
  func properties() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    let session = try client.beginDrag()
    func told(_ body: () throws -> Void) throws -> [String: Value] {
      _ = client.takeSignals()
      try body()
      return try client.takeSignals().filter {
        $0.member == "PropertiesChanged" && $0.path == session.text
      }.reduce(into: [:]) { $0.merge(try $1.changedProperties) { $1 } }
    }
    #expect(
      try told { _ = try client.call(DragSessionInterface.addText, at: session, "x") }
        == ["ItemCount": .uint32(1)])
    #expect(
      try told { try client.set(DragSessionInterface.allowsMove, to: false, at: session) }
        == ["AllowsMove": .boolean(false)])
    #expect(
      try told { try client.set(DragSessionInterface.allowsMove, to: false, at: session) } == [:])
    #expect(
      try told {
        try client.set(DragSessionInterface.restrictedToApplication, to: true, at: session)
      } == ["RestrictedToApplication": .boolean(true)])
    #expect(
      try told {
        try client.set(
          DragSessionInterface.machine, to: Variant(.string("desktop")), at: session)
      }
        == ["Machine": .string("desktop")])
    #expect(try told { _ = try client.propose(session) } == ["Operation": .string("forbidden")])
    #expect(
      try told { try client.drop(session, as: "org.source") } == [
        "State": .string("ended"), "Operation": .string("copy"), "Progress": .double(1),
      ])
  }

  @Test("SourceBoard and SourceRows report the origin of the items")
  func origin() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    let rows = try client.insert(["a", "b", "c"])
    let session = try client.drag(rows: [rows[2], rows[0]])
    #expect(try client.get(DragSessionInterface.sourceBoard, at: session) == BusClient.board)
    #expect(try client.get(DragSessionInterface.sourceRows, at: session) == [rows[2], rows[0]])
    let foreign = try client.drag(["x"])
    #expect(try client.get(DragSessionInterface.sourceBoard, at: foreign) == "/")
    #expect(try client.get(DragSessionInterface.sourceRows, at: foreign) == [])
  }

  @Test("A session's number is never used twice, also after restarts and crashes")
  func numbers() throws {
    let daemon = try Daemon()
    var paths: [String] = []
    for round in 0..<4 {
      let client = try daemon.client()
      for _ in 0..<3 { paths.append(try client.beginDrag().text) }
      if round % 2 == 0 { daemon.kill() } else { _ = daemon.terminate() }
      try daemon.start()
    }
    #expect(Set(paths).count == paths.count)
    #expect(try daemon.client().get(ManagerInterface.sessions, at: Dragboard.root) == [])
  }
}
