import DragboardClient

/// The drag that a source begins again after this command has given a drop back.
///
/// The size of a promise can be unknown, so a disk can become full after the drop was accepted, and an
/// accepted session cannot become active again.
struct RenewedDrag {
  private let source: String
  private let events: Events<DragboardEvent>
  private let connection: DragboardConnection

  /// Listens for new drags of the source of a session.
  init(of session: DragSession) async throws(DragboardError) {
    source = try await session.info().application
    connection = session.connection
    events = await session.connection.events()
  }

  /// Gives a drop back, and waits a short time for the new drag.
  ///
  /// - Returns: the session of the new drag; nil if the source does not begin it.
  func session(after drop: AcceptedDrop) async -> DragSession? {
    let id = try? await Deadline.run { [source, events] () -> SessionID? in
      try await drop.giveBack()
      for try await event in events {
        if case .dragBegan(let id, source) = event { return id }
      }
      return nil
    }
    guard let found = id ?? nil else { return nil }
    return DragSession(found, on: connection)
  }
}
