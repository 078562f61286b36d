import DBus
import DragboardInterface

/// Lets pass what one session tells, though it was subscribed to before the session was known.
///
/// What any session tells until then is kept, the latest 1,024 signals. Unchecked, because it is confined to the loop's thread.
final class SessionFilter: @unchecked Sendable {
  private let buffer: EventBuffer<SessionEvent>
  private var path: String?
  private var early: [Message] = []
  private static let mostEarly = 1_024

  init(_ buffer: EventBuffer<SessionEvent>) { self.buffer = buffer }

  /// Takes a signal of any session.
  func receive(_ signal: Message) {
    guard let path else {
      if early.count < Self.mostEarly { early.append(signal) }
      return
    }
    guard signal.path == path, let event = SessionEvent(signal) else { return }
    buffer.send(event)
    if case .ended = event { buffer.finish() }
  }

  /// There is nothing more to come.
  func finish() { buffer.finish() }

  /// Says which session it is; what has come of it passes now.
  func choose(_ session: ObjectPath) {
    path = session.text
    let signals = early
    early = []
    for signal in signals { receive(signal) }
  }
}
