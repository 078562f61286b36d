import DBus
import DragboardInterface

extension DragboardConnection {
  /// Calls `handler` on the loop's thread each time the daemon emits `signal` from `path`.
  ///
  /// The subscription is active before the reply of any later call.
  func subscribe<each C: BusValue>(
    to signal: SignalDeclaration<Arguments<repeat each C>>, from path: ObjectPath,
    _ handler: @escaping (repeat each C) -> Void
  ) -> Subscription {
    bus.subscribe(to: signal, from: path, of: Dragboard.busName, handler)
  }

  /// Returns the events of a buffer, which end when the bus is lost.
  ///
  /// When the last reference to the events is released, `subscriptions` are cancelled.
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

extension MatchRule {
  /// Matches each signal of `interface` that an object of the daemon below `path` emits.
  static func daemon(_ interface: InterfaceName, below path: ObjectPath) -> MatchRule {
    MatchRule(sender: Dragboard.busName, pathNamespace: path, interface: interface)
  }
}
