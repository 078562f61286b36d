import DBus
import DragboardInterface

extension DragboardConnection {
  /// Returns the drags that have not ended, with their properties, in one call of the daemon.
  ///
  /// The oldest drag is first.
  /// - Throws: `noDaemon`.
  public func sessions() async throws(DragboardError) -> [(session: DragSession, info: SessionInfo)]
  {
    try await objects(with: DragSessionInterface.name)
      .map { path, properties throws(DragboardError) in
        (DragSession(try SessionID(path), on: self), try SessionInfo(properties))
      }
      .filter { $0.info.state != .ended }
      .sorted { $0.session.id < $1.session.id }
  }

  /// Returns the latest drag that has not ended; nil if no drag is active.
  ///
  /// - Throws: `noDaemon`.
  public func latestSession() async throws(DragboardError) -> DragSession? {
    guard let path = try await get(ManagerInterface.sessions, at: Dragboard.root).last else {
      return nil
    }
    return DragSession(try SessionID(path), on: self)
  }

  /// Begins a drag and adds `items` to it.
  ///
  /// If an item is refused, the drag is cancelled.
  /// - Parameters:
  ///   - items: the items in order. More items can be added later.
  ///   - application: the identity of the source.
  /// - Returns: the drag.
  /// - Throws: `invalidArguments`, `accessDenied`, `limitsExceeded`.
  public func beginDrag(
    _ items: [DragItem] = [], as application: Application = .thisConnection
  ) async throws(DragboardError) -> ActiveDrag {
    let drag = try await begin { connection throws(DragboardError) in
      try await connection.call(ManagerInterface.beginDrag, at: Dragboard.root, application.id)
    }
    do throws(DragboardError) { try await drag.session.add(items) } catch {
      try? await drag.session.cancel()
      throw error
    }
    return drag
  }

  func beginDrag(
    of items: [ItemID], from board: ObjectPath, as application: Application
  ) async throws(DragboardError) -> ActiveDrag {
    try await begin { connection throws(DragboardError) in
      try await connection.call(
        DragSourceInterface.beginDrag, at: board, application.id, items.wire)
    }
  }

  /// Subscribes to the signals of all sessions before it begins a session, so that no signal of the
  /// new session is missed.
  private func begin(
    _ body: (isolated DragboardConnection) async throws(DragboardError) -> ObjectPath
  ) async throws(DragboardError) -> ActiveDrag {
    let (events, filter) = sessionEvents()
    let path = try await body(self)
    filter.choose(path)
    return ActiveDrag(session: DragSession(try SessionID(path), on: self), events: events)
  }

  func events(of session: SessionID) async throws(DragboardError) -> Events<SessionEvent> {
    let (events, filter) = sessionEvents()
    let path = session.objectPath
    let state = try await get(DragSessionInterface.state, at: path)
    filter.choose(path)
    if state == SessionInfo.State.ended.rawValue { filter.finish() }
    return events
  }

  private func sessionEvents() -> (Events<SessionEvent>, SessionFilter) {
    let buffer = EventBuffer<SessionEvent>(overflow: .missed, merge: SessionEvent.merge)
    let filter = SessionFilter(buffer)
    return (events(buffer, filter.subscribe(on: self)), filter)
  }
}
