import DBus
import DragboardInterface

/// An event of a drag, a board or the daemon.
public enum DragboardEvent: Hashable, Sendable {
  /// A drag has begun.
  case dragBegan(SessionID, application: String)
  /// A drag has ended with an operation: copy, move or cancel.
  case dragEnded(SessionID, application: String, DropOperation)
  /// A board was created.
  case boardAdded(BoardID)
  /// A board was deleted.
  case boardRemoved(BoardID)
  /// A board was renamed.
  case boardRenamed(BoardID, to: String)
  /// The daemon has joined the bus.
  case daemonCame
  /// The daemon has left the bus.
  case daemonLeft
  /// Events were dropped, because the iteration was too slow. Read the state again.
  case missed
}

extension DragboardConnection {
  /// Returns the events of drags, boards and the daemon, from now on.
  ///
  /// This function neither calls nor starts the daemon.
  public func events() -> Events<DragboardEvent> {
    let buffer = EventBuffer<DragboardEvent>(overflow: .missed)
    let owner = bus.names.watchOwner(of: Dragboard.busName) { owner in
      buffer.send(owner == nil ? .daemonLeft : .daemonCame)
    }
    return events(
      buffer, buffer.subscribeToDrags(on: self) + buffer.subscribeToBoards(on: self) + [owner])
  }
}

extension EventBuffer<DragboardEvent> {
  fileprivate func subscribeToDrags(
    on connection: isolated DragboardConnection
  ) -> [Subscription] {
    [
      connection.subscribe(to: ManagerInterface.dragBegan, from: Dragboard.root) {
        path, application in
        guard let session = path.number else { return }
        self.send(.dragBegan(SessionID(session), application: application))
      },
      connection.subscribe(to: ManagerInterface.dragEnded, from: Dragboard.root) {
        path, application, word in
        guard let session = path.number, let operation = DropOperation(rawValue: word) else {
          return
        }
        self.send(.dragEnded(SessionID(session), application: application, operation))
      },
    ]
  }

  fileprivate func subscribeToBoards(
    on connection: isolated DragboardConnection
  ) -> [Subscription] {
    let boards = ObjectPath(unchecked: Dragboard.boardParent)
    return [
      connection.subscribe(to: ObjectManagerInterface.added, from: Dragboard.root) { path, _ in
        if path.parent == boards.text { self.send(.boardAdded(BoardID(path))) }
      },
      connection.subscribe(to: ObjectManagerInterface.removed, from: Dragboard.root) { path, _ in
        if path.parent == boards.text { self.send(.boardRemoved(BoardID(path))) }
      },
      connection.bus.subscribe(to: .daemon(PropertiesInterface.name, below: boards)) { signal in
        guard let path = signal.path.flatMap({ try? ObjectPath($0) }),
          let properties = signal.changedProperties(of: BoardInterface.name),
          let name = try? properties.text(BoardInterface.boardName)
        else { return }
        self.send(.boardRenamed(BoardID(path), to: name))
      },
    ]
  }
}
