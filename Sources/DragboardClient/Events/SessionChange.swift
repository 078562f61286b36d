import DBus
import DragboardInterface

/// A change of the drags, for a client that mirrors them.
public enum SessionChange: Hashable, Sendable {
  /// A session has begun or ended, or one of its properties has changed.
  case session(SessionID)
  /// An item of a session has a new representation or other attributes.
  case item(SessionID, Int)
  /// The daemon has joined the bus, or events were dropped. Read all sessions again.
  case all
  /// The daemon has left the bus, and all sessions have ended.
  case daemonLeft
}

extension DragboardConnection {
  /// Returns the changes of all drags, from now on.
  ///
  /// It neither calls nor starts the daemon.
  public func sessionChanges() -> Events<SessionChange> {
    let buffer = EventBuffer<SessionChange>(overflow: .all) { $0 == $1 ? $1 : nil }
    let parent = ObjectPath(unchecked: Dragboard.sessionParent)
    let signals = [DragSessionInterface.name, PropertiesInterface.name].map { interface in
      bus.subscribe(to: .daemon(interface, below: parent)) { signal in
        if let change = SessionChange(signal) { buffer.send(change) }
      }
    }
    let began = subscribe(to: ManagerInterface.dragBegan, from: Dragboard.root) { path, _ in
      if let number = path.number { buffer.send(.session(SessionID(number))) }
    }
    let owner = bus.names.watchOwner(of: Dragboard.busName) { owner in
      buffer.send(owner == nil ? .daemonLeft : .all)
    }
    return events(buffer, signals + [began, owner])
  }
}

extension SessionChange {
  /// Decodes a signal of a session; nil if it changes nothing that a mirror shows.
  fileprivate init?(_ signal: Message) {
    typealias Session = DragSessionInterface
    guard let path = signal.path.flatMap({ try? ObjectPath($0) }), let number = path.number else {
      return nil
    }
    let session = SessionID(number)
    if let item = signal.arguments(of: Session.itemChanged) {
      self = .item(session, Int(item))
    } else if let properties = signal.changedProperties(of: Session.name) {
      guard
        properties.has(Session.state) || properties.has(Session.itemCount)
          || properties.has(Session.restrictedToApplication) || properties.has(Session.machine)
      else { return nil }
      self = .session(session)
    } else {
      return nil
    }
  }
}
