/// A subscription to signals, with which `unsubscribe` can end it.
public struct Subscription: Hashable, Sendable {
  let id: Int
}

extension Connection {
  /// Calls `handler` with every signal that matches `rule`, from now on.
  ///
  /// The request is sent to the bus at once, and the bus does not answer it. The bus handles
  /// messages in order, so the subscription is in effect before later calls on this connection.
  @discardableResult
  public func subscribe(
    to rule: MatchRule, _ handler: @escaping (Message) -> Void
  ) -> Subscription {
    lastSubscription += 1
    subscriptions.append((lastSubscription, rule, handler))
    sendMatchRule("AddMatch", rule)
    return Subscription(id: lastSubscription)
  }

  /// Calls `handler` with the content of each signal.
  ///
  /// Ignores signals whose types differ from the declaration.
  @discardableResult
  public func subscribe<each C: BusValue>(
    to signal: SignalDeclaration<Arguments<repeat each C>>, from path: ObjectPath? = nil,
    of sender: BusName? = nil, _ handler: @escaping (repeat each C) -> Void
  ) -> Subscription {
    let rule = MatchRule(
      sender: sender, path: path, interface: signal.interface, member: signal.description.name)
    return subscribe(to: rule) { message in
      guard let content = try? message.arguments(as: repeat (each C).self) else { return }
      handler(repeat each content)
    }
  }

  /// Ends a subscription, unless it has ended.
  public func unsubscribe(_ subscription: Subscription) {
    guard let index = subscriptions.firstIndex(where: { $0.id == subscription.id }) else { return }
    sendMatchRule("RemoveMatch", subscriptions.remove(at: index).rule)
  }

  func isSubscribed(_ id: Int) -> Bool { subscriptions.contains { $0.id == id } }

  /// Asks the bus to forward the signals of a rule, or to stop.
  private func sendMatchRule(_ member: MemberName, _ rule: MatchRule) {
    let call = OutgoingMessage.call(member, of: BusInterface.name, at: BusInterface.path, to: .bus)
    call.append(rule.description)
    call.expectNoReply()
    transmit(call)
  }
}
