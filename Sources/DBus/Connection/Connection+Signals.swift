/// A subscription, to end it by.
public struct Subscription: Hashable, Sendable {
  let id: Int
}

extension Connection {
  /// Has `handler` called with every signal that fits `rule`, from now on.
  ///
  /// The bus is told at once and does not answer: what is called after this on the same connection happens after the subscription.
  @discardableResult
  public func subscribe(
    to rule: MatchRule, _ handler: @escaping (Message) -> Void
  ) -> Subscription {
    lastSubscription += 1
    subscriptions.append((lastSubscription, rule, handler))
    tellBus("AddMatch", rule)
    return Subscription(id: lastSubscription)
  }

  /// Has `handler` called with the content of every such signal; one with other types than the declaration is passed over.
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

  /// Ends a subscription; one that has ended is no error.
  public func unsubscribe(_ subscription: Subscription) {
    guard let index = subscriptions.firstIndex(where: { $0.id == subscription.id }) else { return }
    tellBus("RemoveMatch", subscriptions.remove(at: index).rule)
  }

  /// Whether a subscription has not ended: a handler may end others while a signal is handed round.
  func isSubscribed(_ id: Int) -> Bool { subscriptions.contains { $0.id == id } }

  /// Tells the bus which signals to pass on.
  private func tellBus(_ member: MemberName, _ rule: MatchRule) {
    let call = OutgoingMessage.call(member, of: BusInterface.name, at: BusInterface.path, to: .bus)
    call.append(rule.description)
    call.expectNoReply()
    transmit(call)
  }
}
