import CDBus

/// The names on a bus, and their owners.
public struct BusNames {
  let connection: Connection

  /// Requests a well-known name, without waiting in the queue for it.
  ///
  /// The thread waits for the answer.
  ///
  /// - Throws: the bus's error if the bus refuses; `noReply` if it does not answer.
  public func request(
    _ name: BusName, _ flags: NameRequestFlags = []
  ) throws(DBusError) -> NameRequestOutcome {
    let outcome = try callBus(
      BusInterface.requestName, name.text, flags.union(.notWaiting).rawValue)
    let isOwner =
      outcome == DBUS_REQUEST_NAME_REPLY_PRIMARY_OWNER
      || outcome == DBUS_REQUEST_NAME_REPLY_ALREADY_OWNER
    return isOwner ? .owner : .taken
  }

  /// Releases a well-known name.
  ///
  /// The thread waits for the answer.
  ///
  /// - Throws: the bus's error if the bus refuses; `noReply` if it does not answer.
  public func release(_ name: BusName) throws(DBusError) {
    _ = try callBus(BusInterface.releaseName, name.text)
  }

  /// Calls a method of the bus and waits for its answer on this thread.
  ///
  /// Other messages that arrive meanwhile are handled later, in order.
  private func callBus<each I: BusValue, each O: BusValue>(
    _ method: MethodDeclaration<Arguments<repeat each I>, Arguments<repeat each O>>,
    _ arguments: repeat each I
  ) throws(DBusError) -> (repeat each O) {
    var answer: Result<(repeat each O), DBusError>?
    let call = connection.call(
      method, at: BusInterface.path, of: .bus, timeout: nil, repeat each arguments
    ) { answer = $0 }
    connection.queue.finish()
    connection.receiveAnswer(to: call)
    guard let answer else {
      connection.cancel(call)
      throw DBusError(.noReply, "the bus did not answer \(method.description.name)")
    }
    return try answer.get()
  }

  /// Calls `handler` whenever the owner of `name` changes; `owner` is nil if the name has no owner.
  @discardableResult
  public func watchOwner(
    of name: BusName, _ handler: @escaping (_ owner: String?) -> Void
  ) -> Subscription {
    let rule = MatchRule(
      sender: .bus, interface: BusInterface.name, member: "NameOwnerChanged",
      firstArgument: name.text)
    return connection.subscribe(to: rule) { signal in
      guard let change = try? signal.arguments(as: String.self, String.self, String.self) else {
        return
      }
      handler(change.2.isEmpty ? nil : change.2)
    }
  }

  private static let ownerChanges = MatchRule(
    sender: .bus, interface: BusInterface.name, member: "NameOwnerChanged")

  /// Returns the unique name of the connection that has left the bus, if the message says so.
  static func departure(in message: Message) -> String? {
    guard message.kind == .signal, ownerChanges.matches(message),
      let change = try? message.arguments(as: String.self, String.self, String.self)
    else { return nil }
    return change.2.isEmpty && change.0.hasPrefix(":") ? change.0 : nil
  }

  /// Calls `handler` once when the connection with this unique name leaves the bus; soon if it has
  /// already left.
  ///
  /// The subscription ends after the call.
  @discardableResult
  public func watchDeparture(
    of peer: BusName, _ handler: @escaping () -> Void
  ) -> Subscription {
    var subscription: Subscription?
    let leave = { [weak connection] in
      guard let connection, let watching = subscription, connection.isSubscribed(watching.id)
      else { return }
      connection.unsubscribe(watching)
      handler()
    }
    let watching = watchOwner(of: peer) { owner in if owner == nil { leave() } }
    subscription = watching
    connection.call(
      BusInterface.nameHasOwner, at: BusInterface.path, of: .bus, peer.text
    ) { result in
      if case .success(false) = result { leave() }
    }
    return watching
  }
}

extension Connection {
  /// The names on the bus.
  public var names: BusNames { BusNames(connection: self) }
}
