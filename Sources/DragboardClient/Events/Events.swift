import DBus

/// Events as they happen, from the moment this was made.
///
/// At most 1,024 wait for whoever iterates; where that is too slow, those that waited are dropped, and an event says so. For one iteration,
/// which ends by cancelling its task, or with what the events are of; with the last reference nothing is listened for any more.
public struct Events<Element: Sendable>: AsyncSequence, Sendable {
  private let source: EventSource<Element>

  init(_ source: EventSource<Element>) { self.source = source }

  /// What gives the events, one by one.
  public func makeAsyncIterator() -> Iterator { Iterator(source: source) }

  /// Gives the events, one by one.
  public struct Iterator: AsyncIteratorProtocol {
    let source: EventSource<Element>

    /// Waits for the next event; nil at the end.
    ///
    /// - Throws: `disconnected`, `cancelled`.
    public mutating func next() async throws(DragboardError) -> Element? {
      try await source.buffer.next()
    }

    /// Waits for the next event; nil at the end.
    ///
    /// - Throws: `disconnected`, `cancelled`.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(DragboardError) -> Element? {
      try await source.buffer.next()
    }
  }
}

/// A buffer that is filled as long as somebody holds this.
final class EventSource<Event: Sendable>: Sendable {
  let buffer: EventBuffer<Event>
  private let bus: Connection
  private let stop: @Sendable () -> Void

  /// - Parameters:
  ///   - buffer: where the events come.
  ///   - bus: where they come from.
  ///   - stop: ends their coming; called on the loop's thread when nobody holds this any more.
  init(_ buffer: EventBuffer<Event>, on bus: Connection, stop: @escaping @Sendable () -> Void) {
    self.buffer = buffer
    self.bus = bus
    self.stop = stop
  }

  deinit { bus.loop.perform(stop) }
}
