import DBus
import DragboardInterface

/// What happens in Dragboard at large.
public enum DragboardEvent: Hashable, Sendable {
  /// A drag has begun.
  case dragBegan(SessionID, application: String)
  /// A drag has ended: copied, moved or cancelled.
  case dragEnded(SessionID, application: String, DropOperation)
  /// A board was made.
  case boardAdded(BoardID)
  /// A board was deleted.
  case boardRemoved(BoardID)
  /// A board has another name.
  case boardRenamed(BoardID, to: String)
  /// The daemon has come to the bus.
  case daemonCame
  /// The daemon has left the bus.
  case daemonLeft
  /// Events were dropped, because they were not taken fast enough: what stands now is to be asked for.
  case missed
}

extension DragboardConnection {
  /// What happens from now on: drags, boards, and the daemon's coming and going.
  ///
  /// Nothing is asked of the daemon, and nothing starts it.
  public func events() -> Events<DragboardEvent> {
    let buffer = EventBuffer<DragboardEvent>(overflow: .missed)
    let subscriptions = [
      subscribeToBeginnings(buffer), subscribeToEnds(buffer), subscribeToAdded(buffer),
      subscribeToRemoved(buffer), subscribeToNames(buffer),
      bus.watchOwner(of: Dragboard.busName) { owner in
        buffer.send(owner == nil ? .daemonLeft : .daemonCame)
      },
    ]
    return events(buffer, subscriptions)
  }

  private func subscribeToBeginnings(_ buffer: EventBuffer<DragboardEvent>) -> Subscription {
    subscribe(to: ManagerInterface.dragBegan, from: Dragboard.root) { path, application in
      guard let session = path.number else { return }
      buffer.send(.dragBegan(SessionID(session), application: application))
    }
  }

  private func subscribeToEnds(_ buffer: EventBuffer<DragboardEvent>) -> Subscription {
    subscribe(to: ManagerInterface.dragEnded, from: Dragboard.root) { path, application, word in
      guard let session = path.number, let operation = DropOperation(rawValue: word) else { return }
      buffer.send(.dragEnded(SessionID(session), application: application, operation))
    }
  }

  private func subscribeToAdded(_ buffer: EventBuffer<DragboardEvent>) -> Subscription {
    subscribe(to: ObjectManagerInterface.added, from: Dragboard.root) { path, _ in
      guard path.parent == Dragboard.boardParent else { return }
      buffer.send(.boardAdded(BoardID(path)))
    }
  }

  private func subscribeToRemoved(_ buffer: EventBuffer<DragboardEvent>) -> Subscription {
    subscribe(to: ObjectManagerInterface.removed, from: Dragboard.root) { path, _ in
      guard path.parent == Dragboard.boardParent else { return }
      buffer.send(.boardRemoved(BoardID(path)))
    }
  }

  private func subscribeToNames(_ buffer: EventBuffer<DragboardEvent>) -> Subscription {
    let parent = ObjectPath(unchecked: Dragboard.boardParent)
    return subscribe(to: PropertiesInterface.name, below: parent) { signal in
      guard let path = signal.path.flatMap({ try? ObjectPath($0) }),
        let name = try? Self.newName(told: signal)
      else { return }
      buffer.send(.boardRenamed(BoardID(path), to: name))
    }
  }

  /// The name that a change of properties tells of; nil for one that tells of others.
  private static func newName(told signal: Message) throws -> String? {
    let (interface, changes, _) = try signal.arguments(
      as: String.self, [String: Variant].self, [String].self)
    let properties = Properties(changes)
    guard interface == BoardInterface.name.text, properties.has(BoardInterface.boardName) else {
      return nil
    }
    return try properties.text(BoardInterface.boardName)
  }
}
