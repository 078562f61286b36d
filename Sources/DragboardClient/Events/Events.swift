import DBus

/// Events from the creation of this value on, for one iteration.
///
/// At most 1,024 wait for a slow iteration; after that they are dropped, and an event says so. The
/// iteration ends when its task is cancelled, or with the object that emits the events. The
/// subscription ends with the last reference.
public struct Events<Element: Sendable>: AsyncSequence, Sendable {
  private let source: EventSource<Element>

  init(_ source: EventSource<Element>) { self.source = source }

  /// The events in order.
  public func makeAsyncIterator() -> Iterator { Iterator(source: source) }

  /// The events in order.
  public struct Iterator: AsyncIteratorProtocol {
    let source: EventSource<Element>

    /// Waits for the next event; nil at the end.
    ///
    /// - Throws: `disconnected`, `cancelled`.
    public mutating func next() async throws(DragboardError) -> Element? {
      try await source.buffer.next()
    }

    /// Waits for the next event, as ``next()`` does.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(DragboardError) -> Element? {
      try await source.buffer.next()
    }
  }
}

/// A buffer, and the subscriptions that fill it, which end with the last reference.
final class EventSource<Event: Sendable>: Sendable {
  let buffer: EventBuffer<Event>
  private let bus: Connection
  private let stop: @Sendable () -> Void

  /// - Parameters:
  ///   - buffer: the destination of the events.
  ///   - bus: their source.
  ///   - stop: ends the subscriptions; called on the loop's thread at the end of the object's life.
  init(_ buffer: EventBuffer<Event>, on bus: Connection, stop: @escaping @Sendable () -> Void) {
    self.buffer = buffer
    self.bus = bus
    self.stop = stop
  }

  deinit { bus.loop.perform(stop) }
}
