import DBus
import DragboardInterface
import TestSupport
import Testing

@Suite("The content of a row when its drag began")
struct HeldContentTests {
  /// An edit of the rows a and b of the board "source" during the drag.
  enum Fate: String, CaseIterable {
    case stay, change, changeTwice, delete, clear, deleteSection, deleteBoard

    func calls(_ board: ObjectPath, _ rows: [String]) -> [OutgoingMessage] {
      func call<each I: BusValue, each O: BusValue>(
        _ method: MethodDeclaration<Arguments<repeat each I>, Arguments<repeat each O>>,
        at path: ObjectPath, _ arguments: repeat each I
      ) -> OutgoingMessage {
        let call = OutgoingMessage.call(
          method.description.name, of: method.interface, at: path, to: Dragboard.busName)
        call.append(repeat each arguments)
        return call
      }
      let change = call(BoardInterface.setText, at: board, rows[0], "changed")
      switch self {
      case .stay: return []
      case .change: return [change]
      case .changeTwice:
        return [change, call(BoardInterface.setText, at: board, rows[0], "changed again")]
      case .delete: return [call(BoardInterface.deleteItems, at: board, rows)]
      case .clear: return [change, call(BoardInterface.clear, at: board)]
      case .deleteSection: return [change, call(BoardInterface.deleteSection, at: board, 0)]
      case .deleteBoard:
        return [
          change, call(BoardInterface.deleteRow, at: board, 0, 1),
          call(ManagerInterface.deleteBoard, at: Dragboard.root, "source"),
        ]
      }
    }
  }

  @Test(
    "Another board gets the content at the beginning of the drag, even if the row has changed",
    arguments: Fate.allCases)
  func fates(_ fate: Fate) throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    let (source, rows) = try begin(client)
    let session = try client.drag(rows: rows, of: source)
    for answer in client.answers(to: fate.calls(source, rows)) { _ = try answer.get() }
    #expect(try client.drop(session).operation == "copy")
    #expect(try client.texts() == ["a", "b"])
  }

  @Test(
    "Another board gets the content at the beginning of the drag, even if the row was deleted",
    arguments: Fate.allCases)
  func fatesInOneBatch(_ fate: Fate) throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    let (source, rows) = try begin(client)
    let session = try client.drag(rows: rows, of: source)
    let drop = OutgoingMessage.call(
      "PerformDrop", of: DropTargetInterface.name, at: BusClient.board, to: Dragboard.busName)
    drop.append(session, "org.target", UInt32(0), Int32(-1))
    for answer in client.answers(to: fate.calls(source, rows) + [drop]) { _ = try answer.get() }
    #expect(try client.texts() == ["a", "b"])
    daemon.kill()
    try daemon.start()
    #expect(try daemon.client().texts() == ["a", "b"])
  }

  @Test("Two drags of a row, before and after a change, have different contents")
  func severalDrags() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    let (source, rows) = try begin(client)
    let first = try client.drag(rows: [rows[0]], of: source)
    _ = try client.call(BoardInterface.setText, at: source, rows[0], "changed")
    let second = try client.drag(rows: [rows[0]], of: source)
    _ = try client.call(BoardInterface.deleteItems, at: source, rows)
    try client.drop(second)
    try client.drop(first)
    #expect(try client.texts() == ["changed", "a"])
  }

  @Test("A deleted row is not moved by a drag within its own board")
  func localDrag() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    let (source, rows) = try begin(client)
    let session = try client.drag(rows: [rows[0]], of: source)
    _ = try client.call(BoardInterface.deleteRow, at: source, 0, 0)
    #expect(try client.drop(session, as: "org.source", on: source).operation == "forbidden")
    #expect(try client.texts(of: source) == ["b"])
  }

  @Test(
    "A drag continues after its board is deleted, and is not local to a new board with its name")
  func namesake() throws {
    let daemon = try Daemon()
    let client = try daemon.client()
    let (source, rows) = try begin(client)
    let session = try client.drag(rows: [rows[0]], of: source)
    _ = try client.call(ManagerInterface.deleteBoard, at: Dragboard.root, "source")
    expect(.unknownObject, naming: source.text) {
      try client.drop(session, as: "org.source", on: source)
    }
    #expect(try client.board("source") == source)
    #expect(try client.drop(session, as: "org.source", on: source).operation == "copy")
    #expect(try client.texts(of: source) == ["a"])
  }

  /// Makes the board "source" with two sections.
  ///
  /// The first section contains the rows a and b.
  private func begin(_ client: BusClient) throws -> (board: ObjectPath, rows: [String]) {
    let board = try client.board("source")
    _ = try client.call(BoardInterface.insertSection, at: board, "late", -1)
    return (board, try client.insert(["a", "b"], on: board))
  }
}
