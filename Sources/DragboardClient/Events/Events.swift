import DBus

/// Events since the creation of this value.
///
/// They can be iterated once.
///
/// At most 1,024 events wait for a slow iteration. Above that, they are dropped, and the event
/// `missed` replaces them. The iteration ends when its task is cancelled, or when the object that
/// emits the events ends. The subscription ends when the last reference is released.
public struct Events<Element: Sendable>: AsyncSequence, Sendable {
  private let source: EventSource<Element>

  init(_ source: EventSource<Element>) { self.source = source }

  /// Returns an iterator over the events.
  public func makeAsyncIterator() -> Iterator { Iterator(source: source) }

  /// An iterator over the events.
  public struct Iterator: AsyncIteratorProtocol {
    let source: EventSource<Element>

    /// Waits for the next event; nil after the last event.
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

/// A buffer with the subscriptions that fill it.
///
/// The subscriptions end when the last reference is released.
final class EventSource<Event: Sendable>: Sendable {
  let buffer: EventBuffer<Event>
  private let bus: Connection
  private let stop: @Sendable () -> Void

  /// - Parameters:
  ///   - buffer: the destination of the events.
  ///   - bus: the source of the events.
  ///   - stop: ends the subscriptions. It runs on the loop's thread when the object is released.
  init(_ buffer: EventBuffer<Event>, on bus: Connection, stop: @escaping @Sendable () -> Void) {
    self.buffer = buffer
    self.bus = bus
    self.stop = stop
  }

  deinit { bus.loop.perform(stop) }
}
