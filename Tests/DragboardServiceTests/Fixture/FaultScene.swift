import DBus
import DragboardInterface
import TestSupport

/// A daemon whose limits are reached, and clients of each kind with sessions and views.
final class FaultScene {
  /// A client, with its sessions and its view; the sessions belong to its connection.
  struct Peer {
    let kind: String
    let client: BusClient
    /// An active session with one item of one type, "text/plain;charset=utf-8".
    let session: ObjectPath
    /// The session that the client dropped on itself, and a session that has ended.
    let dropping, ended: ObjectPath
    /// A view in edit mode.
    let view: ObjectPath

    fileprivate init(_ kind: String, _ client: BusClient) throws {
      (self.kind, self.client) = (kind, client)
      session = try client.drag(["t"], as: "")
      dropping = try client.drag(["t"], as: "")
      _ = try client.call(DragSessionInterface.accept, at: dropping, "", "copy")
      view = try client.openView(as: "")
      try client.setEditing(true, in: view)
      ended = try client.drag(["t"], as: "")
      try client.cancel(ended)
    }
  }

  let daemon: Daemon
  /// An unsandboxed, a sandboxed and an unidentified client.
  let callers: [Peer]
  /// Another client.
  let other: Peer
  /// A row of another client that may not be edited or moved, at 0.1, and a row at 0.0.
  let locked, row: String
  /// An id that no row has.
  let reserved: String
  let unknown = "00000000-0000-8000-8000-000000000000"
  /// A text that exceeds the limit of a representation.
  let long = "longer than six bytes"
  private let relays: [Relay]

  init() throws {
    daemon = try Daemon(
      "--max-representation-bytes", "6", "--max-rows", "2", "--max-sections", "2", "--max-boards",
      "2", "--max-sessions", "12", "--max-views", "4")
    let free = try daemon.client()
    let rows = try free.insert(["a", "b"])
    (row, locked) = (rows[0], rows[1])
    _ = try free.call(BoardInterface.setEditable, locked, false)
    _ = try free.call(BoardInterface.setMovable, locked, false)
    _ = try free.call(BoardInterface.insertSection, "second", -1)
    _ = try free.board("other")
    reserved = try free.call(BoardInterface.reserveItems, 1)[0]
    relays = [
      try Relay(on: daemon.bus, as: "org.boxed.App"),
      try Relay(on: daemon.bus, behavior: .orphan),
    ]
    callers = [
      try Peer("unsandboxed", free), try Peer("sandboxed", relays[0].client()),
      try Peer("unidentified", relays[1].client()),
    ]
    other = try Peer("other", daemon.client())
    while (try? other.client.beginDrag()) != nil {}
  }

  /// Returns everything that a call could have changed.
  func everything() throws -> [String] {
    let client = other.client
    var all = ["\(try client.state())"]
    all.append("\(try client.get(ManagerInterface.boards, at: Dragboard.root))")
    all.append("\(try client.get(ManagerInterface.sessions, at: Dragboard.root))")
    for peer in callers + [other] {
      for session in [peer.session, peer.dropping, peer.ended] {
        all.append("\(try client.get(DragSessionInterface.itemCount, at: session))")
        all.append(try client.standing(of: session))
      }
      all.append("\(try client.get(ViewInterface.selection, at: peer.view))")
      all.append("\(try client.get(ViewInterface.editing, at: peer.view))")
    }
    return all
  }
}
