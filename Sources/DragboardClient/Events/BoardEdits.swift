import DBus
import DragboardInterface

extension Board {
  /// Returns an event for edits of the board and starts of the daemon, from now on.
  ///
  /// One event may stand for several edits. After an event, read the changes with
  /// ``BoardHistory/changes(since:)``. This function neither calls nor starts the daemon.
  public func edits() async -> Events<Void> { await connection.edits(of: objectPath) }
}

extension DragboardConnection {
  fileprivate func edits(of board: ObjectPath) -> Events<Void> {
    let buffer = EventBuffer<Void>(capacity: 1, overflow: ()) { _, _ in () }
    let changed = subscribe(to: BoardInterface.changed, from: board) { _, _, _ in
      buffer.send(())
    }
    let owner = bus.names.watchOwner(of: Dragboard.busName) { owner in
      if owner != nil { buffer.send(()) }
    }
    return events(buffer, [changed, owner])
  }
}
