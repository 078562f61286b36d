import DBus
import DragboardInterface

extension DragboardConnection {
  /// Calls `handler` with each such signal of the daemon, on the loop's thread.
  ///
  /// The subscription is active before the reply of any later call.
  func subscribe<each C: BusValue>(
    to signal: SignalDeclaration<Arguments<repeat each C>>, from path: ObjectPath,
    _ handler: @escaping (repeat each C) -> Void
  ) -> Subscription {
    bus.subscribe(to: signal, from: path, of: Dragboard.busName, handler)
  }

  /// Calls `handler` with each signal of an interface, of all objects below `path`.
  func subscribe(
    to interface: InterfaceName, below path: ObjectPath, _ handler: @escaping (Message) -> Void
  ) -> Subscription {
    bus.subscribe(
      to: MatchRule(sender: Dragboard.busName, pathNamespace: path, interface: interface), handler)
  }

  /// Events that come until the bus goes, and as long as somebody wants them.
  func events<Event>(
    _ buffer: EventBuffer<Event>, _ subscriptions: [Subscription]
  ) -> Events<Event> {
    let handler = disconnection.whenItHappens { buffer.finish(.failure(.disconnected)) }
    let source = EventSource(buffer, on: bus) { [bus, disconnection] in
      for subscription in subscriptions { bus.unsubscribe(subscription) }
      disconnection.forget(handler)
    }
    return Events(source)
  }
}
