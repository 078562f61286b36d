import DBus
import DragboardInterface

/// A filter that passes on the signals of one session.
///
/// The subscription begins before the session's path is known. Until then, the filter stores the
/// signals of all sessions, at most 1,024. Unchecked, because it is confined to the loop's thread.
final class SessionFilter: @unchecked Sendable {
  private let buffer: EventBuffer<SessionEvent>
  private var path: String?
  private var early: [Message] = []
  private static let maxEarlyCount = 1_024

  init(_ buffer: EventBuffer<SessionEvent>) { self.buffer = buffer }

  /// Subscribes to the signals of all sessions.
  func subscribe(on connection: isolated DragboardConnection) -> [Subscription] {
    let parent = ObjectPath(unchecked: Dragboard.sessionParent)
    let departure = connection.bus.names.watchOwner(of: Dragboard.busName) { [buffer] owner in
      if owner == nil { buffer.finish(.failure(.daemonLeft)) }
    }
    return [departure]
      + [DragSessionInterface.name, PropertiesInterface.name].map { interface in
        connection.bus.subscribe(to: .daemon(interface, below: parent)) { self.receive($0) }
      }
  }

  private func receive(_ signal: Message) {
    guard let path else {
      if early.count < Self.maxEarlyCount { early.append(signal) }
      return
    }
    guard signal.path == path, let event = SessionEvent(signal) else { return }
    buffer.send(event)
    if case .ended = event { buffer.finish() }
  }

  func finish() { buffer.finish() }

  /// Selects the session, and passes on the stored signals of the session.
  func choose(_ session: ObjectPath) {
    path = session.text
    let signals = early
    early = []
    for signal in signals { receive(signal) }
  }
}

extension DragboardError {
  fileprivate static let daemonLeft = DragboardError(
    .noDaemon, "the daemon left the bus, which ended every drag")
}
