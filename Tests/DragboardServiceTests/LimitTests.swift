import DBus
import DragboardInterface
import Foundation
import TestSupport
import Testing

@Suite("Limits")
struct LimitTests {
  @Test("The property Limits has the names of the specification and the configured values")
  func property() throws {
    let text = try Checkout.text(of: "Sources/DragboardInterface/Interfaces/specification.md")
    let section = text.components(separatedBy: "\n14.1.").last?.components(separatedBy: "\n14.2.")
    let names = section?[0].split(separator: "\n").compactMap { line in
      line.hasSuffix("` |") ? line.split(separator: "`").dropLast().last.map(String.init) : nil
    }
    #expect(names == LimitName.allCases.map(\.rawValue))
    let daemon = try Daemon(
      "--max-items", "7", "--max-sandbox-bytes", "281474976710656", "--load-timeout", "0.5",
      "--session-timeout", "90")
    let limits = try daemon.client().get(ManagerInterface.limits, at: Dragboard.root)
    #expect(limits.keys.sorted() == names?.sorted())
    #expect(limits["max-items"] == 7)
    #expect(limits["max-sandbox-bytes"] == 1 << 48)
    #expect(limits["load-timeout"] == 1)
    #expect(limits["session-timeout"] == 90)
    #expect(limits["max-rows"] == 1_000_000)
  }

  @Test("An application has a maximum number of sessions; another application has its own")
  func sessionsOfAnApplication() throws {
    let daemon = try Daemon("--max-sessions-per-application", "2")
    let client = try daemon.client()
    let rows = try client.insert(["a"])
    let first = try client.beginDrag()
    _ = try client.beginDrag()
    _ = client.takeSignals()
    let begins: [() throws -> Void] = [
      { _ = try client.beginDrag() }, { _ = try client.drag(["x"]) },
      { _ = try client.drag(rows: rows) },
    ]
    for begin in begins {
      expect(.limitsExceeded, naming: "max-sessions-per-application", "2") { try begin() }
    }
    #expect(client.takeSignals().isEmpty)
    _ = try client.beginDrag(as: "org.other")
    _ = try client.beginDrag(as: "")
    try client.cancel(first)
    _ = try client.beginDrag()
  }

  @Test("All applications together have a maximum number of sessions")
  func sessions() throws {
    let daemon = try Daemon("--max-sessions", "2")
    let client = try daemon.client()
    _ = try client.beginDrag(as: "org.a")
    let second = try client.beginDrag(as: "org.b")
    expect(.limitsExceeded, naming: "max-sessions", "2") { _ = try client.beginDrag(as: "org.c") }
    try client.cancel(second)
    _ = try client.beginDrag(as: "org.c")
  }

  @Test("A session has a maximum number of items")
  func items() throws {
    let daemon = try Daemon("--max-items", "2")
    let client = try daemon.client()
    let rows = try client.insert(["a", "b", "c"])
    expect(.limitsExceeded, naming: "texts", "max-items", "2") {
      _ = try client.drag(["1", "2", "3"])
    }
    expect(.limitsExceeded, naming: "max-items", "2") { _ = try client.drag(rows: rows) }
    #expect(try client.get(ManagerInterface.sessions, at: Dragboard.root) == [])
    let session = try client.drag(["1", "2"])
    expect(.limitsExceeded, naming: "max-items", "2") {
      _ = try client.call(DragSessionInterface.addText, at: session, "3")
    }
    expect(.limitsExceeded, naming: "max-items", "2") {
      _ = try client.call(DragSessionInterface.addItem, at: session, "3")
    }
    #expect(try client.get(DragSessionInterface.itemCount, at: session) == 2)
  }

  @Test("A representation has a maximum size, in a drag and on a board")
  func representationBytes() throws {
    let daemon = try Daemon("--max-representation-bytes", "4")
    let client = try daemon.client()
    let session = try client.drag(["1234"])
    let row = try client.insert(["äö"])[0]
    let before = try client.contents()
    let calls: [(argument: String, call: () throws -> Void)] = [
      ("texts", { _ = try client.drag(["12345"]) }),
      ("text", { _ = try client.call(DragSessionInterface.addText, at: session, "12345") }),
      ("data", { try client.register("text/html", "12345", of: session) }),
      ("text", { _ = try client.call(BoardInterface.insertText, 0, 0, "äöü") }),
      ("texts", { try client.insert(["1", "12345"]) }),
      (
        "data",
        { _ = try client.call(BoardInterface.insertData, 0, 0, "text/html", [1, 2, 3, 4, 5]) }
      ),
      ("text", { _ = try client.call(BoardInterface.setText, row, "12345") }),
    ]
    for (argument, call) in calls {
      expect(.limitsExceeded, naming: argument, "max-representation-bytes", "4") { try call() }
    }
    #expect(try client.contents() == before)
    #expect(try client.call(DragSessionInterface.getTypes, at: session, 0).count == 1)
  }

  @Test("A session has a maximum number of bytes, including dragged rows")
  func sessionBytes() throws {
    let daemon = try Daemon("--max-session-bytes", "8")
    let client = try daemon.client()
    let rows = try client.insert(["12345", "6789"])
    let session = try client.drag(["12345", "678"])
    expect(.limitsExceeded, naming: "max-session-bytes", "8") {
      _ = try client.call(DragSessionInterface.addText, at: session, "9")
    }
    expect(.limitsExceeded, naming: "max-session-bytes") {
      try client.register("text/html", "9", of: session)
    }
    expect(.limitsExceeded, naming: "max-session-bytes") { _ = try client.drag(["123456789"]) }
    expect(.limitsExceeded, naming: "max-session-bytes") { _ = try client.drag(rows: rows) }
    #expect(try client.drop(session).items.count == 2)
  }

  @Test("All sessions together have a maximum number of bytes; ended sessions hold none")
  func bytes() throws {
    let daemon = try Daemon("--max-bytes", "8")
    let client = try daemon.client()
    let first = try client.drag(["12345"])
    let second = try client.drag(["678"], as: "org.other")
    expect(.limitsExceeded, naming: "max-bytes", "8") { _ = try client.drag(["9"]) }
    expect(.limitsExceeded, naming: "max-bytes", "8") {
      _ = try client.call(DragSessionInterface.addText, at: second, "9")
    }
    expect(.limitsExceeded, naming: "max-bytes", "8") {
      try client.register("text/html", "9", of: second)
    }
    try client.cancel(first)
    _ = try client.call(DragSessionInterface.addText, at: second, "12345")
    try client.drop(second)
    _ = try client.drag(["12345678"])
  }

  @Test("A board has a maximum number of rows: the daemon's limit, or its own if that is less")
  func rows() throws {
    let daemon = try Daemon("--max-rows", "3")
    let client = try daemon.client()
    try client.insert(["a", "b"])
    func expectFull(_ limit: String) throws {
      let before = try client.contents()
      expect(.limitsExceeded, naming: "max-rows", limit) { try client.insert(["x", "y"]) }
      #expect(try client.propose(client.drag(["x", "y"])).operation == "forbidden")
      #expect(try client.contents() == before)
    }
    try expectFull("3")
    try client.set(BoardInterface.maxRows, to: Variant(.uint32(1_000)))
    try expectFull("3")
    try client.set(BoardInterface.maxRows, to: Variant(.uint32(1)))
    #expect(try client.texts() == ["a", "b"])
    try expectFull("1")
    expect(.limitsExceeded, naming: "max-rows", "1") {
      _ = try client.call(BoardInterface.insertText, 0, 0, "x")
    }
    _ = try client.call(BoardInterface.moveRow, 0, 0, 0, 1)
    _ = try client.call(BoardInterface.deleteRow, 0, 0)
    #expect(try client.texts() == ["a"])
    try client.set(BoardInterface.maxRows, to: Variant(.uint32(0)))
    try client.insert(["x", "y"])
  }

  @Test("A daemon has a maximum number of boards, including \"default\"")
  func boards() throws {
    let daemon = try Daemon("--max-boards", "2")
    let client = try daemon.client()
    _ = try client.board("second")
    expect(.limitsExceeded, naming: "max-boards", "2") { _ = try client.board("third") }
    expect(.boardExists, naming: "name", "second") { _ = try client.board("second") }
    _ = try client.call(ManagerInterface.deleteBoard, at: Dragboard.root, "second")
    _ = try client.board("third")
  }
}
