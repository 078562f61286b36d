/// `org.freedesktop.DBus.Peer`, which every path implements.
public enum PeerInterface {
  /// The interface's name.
  public static let name: InterfaceName = "org.freedesktop.DBus.Peer"
  /// Replies without arguments.
  public static let ping = MethodDeclaration<Arguments<>, Arguments<>>(name, "Ping")
  /// Returns the machine's id, 32 hexadecimal digits.
  public static let getMachineID = MethodDeclaration<Arguments<>, Arguments<String>>(
    name, "GetMachineId", out: "machine_uuid")
}

/// `org.freedesktop.DBus.Introspectable`.
public enum IntrospectableInterface {
  /// The interface's name.
  public static let name: InterfaceName = "org.freedesktop.DBus.Introspectable"
  /// Returns the interfaces at the path and the nodes below it, as XML.
  public static let introspect = MethodDeclaration<Arguments<>, Arguments<String>>(
    name, "Introspect", out: "xml_data")
}

/// `org.freedesktop.DBus.Properties`.
public enum PropertiesInterface {
  /// The interface's name.
  public static let name: InterfaceName = "org.freedesktop.DBus.Properties"
  /// Returns the value of a property.
  public static let get = MethodDeclaration<Arguments<String, String>, Arguments<Variant>>(
    name, "Get", in: "interface_name", "property_name", out: "value")
  /// Returns all properties of an interface.
  public static let getAll = MethodDeclaration<Arguments<String>, Arguments<[String: Variant]>>(
    name, "GetAll", in: "interface_name", out: "props")
  /// Sets a property.
  public static let set = MethodDeclaration<Arguments<String, String, Variant>, Arguments<>>(
    name, "Set", in: "interface_name", "property_name", "value")
  /// Reports new values, and the names of invalidated properties.
  public static let changed = SignalDeclaration<Arguments<String, [String: Variant], [String]>>(
    name, "PropertiesChanged", "interface_name", "changed_properties", "invalidated_properties")
}

/// `org.freedesktop.DBus.ObjectManager`.
public enum ObjectManagerInterface {
  /// The interface's name.
  public static let name: InterfaceName = "org.freedesktop.DBus.ObjectManager"
  /// The interfaces by name, each with its properties.
  public typealias Interfaces = [String: [String: Variant]]
  /// Returns every object below the path, with its interfaces and their properties.
  public static let getManagedObjects = MethodDeclaration<
    Arguments<>, Arguments<[ObjectPath: Interfaces]>
  >(name, "GetManagedObjects", out: "objects")
  /// Reports an added object.
  public static let added = SignalDeclaration<Arguments<ObjectPath, Interfaces>>(
    name, "InterfacesAdded", "object", "interfaces")
  /// Reports a removed object.
  public static let removed = SignalDeclaration<Arguments<ObjectPath, [String]>>(
    name, "InterfacesRemoved", "object", "interfaces")
}
