import CDBus

/// The part of `org.freedesktop.DBus` that this binding uses.
public enum BusInterface {
  /// `org.freedesktop.DBus`.
  public static let name: InterfaceName = "org.freedesktop.DBus"
  /// `/org/freedesktop/DBus`.
  public static let path: ObjectPath = "/org/freedesktop/DBus"
  /// Returns whether a name has an owner.
  public static let nameHasOwner = MethodDeclaration<Arguments<String>, Arguments<Bool>>(
    name, "NameHasOwner", in: "name", out: "has_owner")
  /// Returns the unique name of the owner of a name.
  public static let getNameOwner = MethodDeclaration<Arguments<String>, Arguments<String>>(
    name, "GetNameOwner", in: "name", out: "unique_name")
  /// Returns the properties of the process that made a connection.
  ///
  /// Source: the D-Bus specification, `org.freedesktop.DBus.GetConnectionCredentials`.
  public static let getConnectionCredentials = MethodDeclaration<
    Arguments<String>, Arguments<[String: Variant]>
  >(name, "GetConnectionCredentials", in: "bus_name", out: "credentials")
  /// Returns the number of bytes in transit to a connection, among other figures; not every bus has
  /// it.
  ///
  /// Source: `bus/stats.c` of dbus-daemon.
  public static let getConnectionStats = MethodDeclaration<
    Arguments<String>, Arguments<[String: Variant]>
  >("org.freedesktop.DBus.Debug.Stats", "GetConnectionStats", in: "name", out: "stats")
  /// Requests a name with the flags of the specification; returns the outcome as the
  /// specification's number.
  public static let requestName = MethodDeclaration<Arguments<String, UInt32>, Arguments<UInt32>>(
    name, "RequestName", in: "name", "flags", out: "outcome")
  /// The outcome of `requestName` if the caller owns the name.
  public static let isPrimaryOwner = UInt32(DBUS_REQUEST_NAME_REPLY_PRIMARY_OWNER)
  /// Releases a name; messages already sent to the name arrive before the answer.
  public static let releaseName = MethodDeclaration<Arguments<String>, Arguments<UInt32>>(
    name, "ReleaseName", in: "name", out: "outcome")
  /// Reports to a former owner that it has lost a name.
  public static let nameLost = SignalDeclaration<Arguments<String>>(name, "NameLost", "name")
  /// Reports a new owner of a name; "" means no owner.
  public static let nameOwnerChanged = SignalDeclaration<Arguments<String, String, String>>(
    name, "NameOwnerChanged", "name", "old_owner", "new_owner")
}

/// The options of a request for a name.
///
/// Source: the D-Bus specification, `org.freedesktop.DBus.RequestName`.
public struct NameRequestFlags: OptionSet, Sendable {
  /// The flags as on the wire.
  public let rawValue: UInt32
  /// Creates flags as on the wire.
  public init(rawValue: UInt32) { self.rawValue = rawValue }
  /// Another connection may take the name with `replacing`.
  public static let replaceable = Self(rawValue: UInt32(DBUS_NAME_FLAG_ALLOW_REPLACEMENT))
  /// The request takes the name from its owner, if the owner is `replaceable`.
  public static let replacing = Self(rawValue: UInt32(DBUS_NAME_FLAG_REPLACE_EXISTING))
  /// The request fails if it would have to wait in the queue for the name.
  public static let notWaiting = Self(rawValue: UInt32(DBUS_NAME_FLAG_DO_NOT_QUEUE))
}

/// The outcome of a request for a name.
public enum NameRequestOutcome: Sendable, Equatable {
  /// The connection owns the name.
  case owner
  /// Another connection owns the name.
  case taken
}

extension Connection {
  /// Requests a well-known name, without waiting in the queue for it.
  ///
  /// The thread waits for the answer.
  ///
  /// - Throws: the error of the bus.
  public func requestName(
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
  /// - Throws: the error of the bus.
  public func releaseName(_ name: BusName) throws(DBusError) {
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
    let call = call(
      method, at: BusInterface.path, of: .bus, timeout: nil, repeat each arguments
    ) { answer = $0 }
    queue.finish()
    receive(untilAnswerTo: call)
    guard let answer else {
      cancel(call)
      throw DBusError(.noReply, "the bus did not answer \(method.description.name)")
    }
    return try answer.get()
  }

  /// Calls `handler` whenever `name` gets another owner; `owner` is nil if it has none.
  @discardableResult
  public func watchOwner(
    of name: BusName, _ handler: @escaping (_ owner: String?) -> Void
  ) -> Subscription {
    let rule = MatchRule(
      sender: .bus, interface: BusInterface.name, member: "NameOwnerChanged",
      firstArgument: name.text)
    return subscribe(to: rule) { signal in
      guard let change = try? signal.arguments(as: String.self, String.self, String.self) else {
        return
      }
      handler(change.2.isEmpty ? nil : change.2)
    }
  }

  /// Calls `handler` once when the connection with this unique name leaves, or has already left.
  ///
  /// The subscription ends after the call.
  @discardableResult
  public func watchDeparture(
    of peer: BusName, _ handler: @escaping () -> Void
  ) -> Subscription {
    var subscription: Subscription?
    let leave = { [weak self] in
      guard let self, let watching = subscription, isSubscribed(watching.id) else { return }
      unsubscribe(watching)
      handler()
    }
    let watching = watchOwner(of: peer) { owner in if owner == nil { leave() } }
    subscription = watching
    call(BusInterface.nameHasOwner, at: BusInterface.path, of: .bus, peer.text) { result in
      if case .success(false) = result { leave() }
    }
    return watching
  }
}
