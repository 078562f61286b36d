import DBus
import DragboardInterface

/// An event of a drop on a board.
public enum DropEvent: Hashable, Sendable {
  /// A drop is loading `count` rows, and will insert them at a position.
  ///
  /// Edits of the board adjust the position. `progress` is from 0 to 1. The last event of a drop
  /// has the count 0, whether or not the rows arrived.
  case pending(SessionID, count: Int, RowPosition, progress: Double)
  /// A drop has copied or moved rows.
  case performed(SessionID, DropOperation, [ItemID])
  /// Events were dropped, because the iteration was too slow. Read the state again.
  case missed
}

extension DropEvent {
  /// Subscribes to the drops on a board.
  static func events(
    of board: ObjectPath, on connection: isolated DragboardConnection
  ) -> Events<DropEvent> {
    let buffer = EventBuffer<DropEvent>(overflow: .missed) { waiting, newer in
      switch (waiting, newer) {
      case (.pending(let session, _, _, _), .pending(let newSession, _, _, _))
      where session == newSession: newer
      default: nil
      }
    }
    let pending = connection.subscribe(to: DropTargetInterface.dropPending, from: board) {
      path, count, section, row, progress in
      guard let session = path.number else { return }
      let place = RowPosition(section: Int(section), row: Int(row))
      buffer.send(.pending(SessionID(session), count: Int(count), place, progress: progress))
    }
    let performed = connection.subscribe(to: DropTargetInterface.dropPerformed, from: board) {
      path, operation, items in
      guard let session = path.number, let operation = DropOperation(rawValue: operation),
        let items = try? ItemID.all(items)
      else { return }
      buffer.send(.performed(SessionID(session), operation, items))
    }
    return connection.events(buffer, [pending, performed])
  }
}
