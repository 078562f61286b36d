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
  /// Returns the properties of the process that opened a connection.
  ///
  /// Source: the D-Bus specification, `org.freedesktop.DBus.GetConnectionCredentials`.
  public static let getConnectionCredentials = MethodDeclaration<
    Arguments<String>, Arguments<[String: Variant]>
  >(name, "GetConnectionCredentials", in: "bus_name", out: "credentials")
  /// Returns statistics of a connection, such as the number of bytes in transit to it.
  ///
  /// Some buses do not have this method.
  ///
  /// Source: `bus/stats.c` of dbus-daemon.
  public static let getConnectionStats = MethodDeclaration<
    Arguments<String>, Arguments<[String: Variant]>
  >("org.freedesktop.DBus.Debug.Stats", "GetConnectionStats", in: "name", out: "stats")
  /// Requests a name; the flags and the outcome are numbers of the specification.
  public static let requestName = MethodDeclaration<Arguments<String, UInt32>, Arguments<UInt32>>(
    name, "RequestName", in: "name", "flags", out: "outcome")
  /// The outcome of `requestName` if the caller owns the name.
  public static let isPrimaryOwner = UInt32(DBUS_REQUEST_NAME_REPLY_PRIMARY_OWNER)
  /// Releases a name.
  ///
  /// The answer arrives after all messages that were sent to the name before its release.
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
