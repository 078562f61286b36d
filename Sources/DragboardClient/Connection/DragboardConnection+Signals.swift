import DBus
import DragboardInterface

extension DragboardConnection {
  /// Has `handler` called with every such signal of the daemon, on the loop's thread.
  ///
  /// What is asked of the daemon after this is answered after the subscription.
  func subscribe<each C: BusValue>(
    to signal: SignalDeclaration<Arguments<repeat each C>>, from path: ObjectPath,
    _ handler: @escaping (repeat each C) -> Void
  ) -> Subscription {
    bus.subscribe(to: signal, from: path, of: Dragboard.busName, handler)
  }

  /// Has `handler` called with every signal of an object's interface, of the objects below `path` where it is a namespace.
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
