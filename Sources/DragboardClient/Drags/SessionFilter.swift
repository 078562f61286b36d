import DBus
import DragboardInterface

/// The signals of one session, subscribed to before the session was known.
///
/// Until it is known, signals of all sessions are stored, at most 1,024. Unchecked, because it is
/// confined to the loop's thread.
final class SessionFilter: @unchecked Sendable {
  private let buffer: EventBuffer<SessionEvent>
  private var path: String?
  private var early: [Message] = []
  private static let maxEarlyCount = 1_024

  init(_ buffer: EventBuffer<SessionEvent>) { self.buffer = buffer }

  func receive(_ signal: Message) {
    guard let path else {
      if early.count < Self.maxEarlyCount { early.append(signal) }
      return
    }
    guard signal.path == path, let event = SessionEvent(signal) else { return }
    buffer.send(event)
    if case .ended = event { buffer.finish() }
  }

  func finish() { buffer.finish() }

  /// Selects the session, and passes on its stored signals.
  func choose(_ session: ObjectPath) {
    path = session.text
    let signals = early
    early = []
    for signal in signals { receive(signal) }
  }
}
