/// `org.freedesktop.DBus.Peer`, which every path answers.
public enum PeerInterface {
  /// The interface's name.
  public static let name: InterfaceName = "org.freedesktop.DBus.Peer"
  /// Answers, and does nothing else.
  public static let ping = MethodDeclaration<Arguments<>, Arguments<>>(name, "Ping")
  /// The machine's id, 32 hexadecimal digits.
  public static let getMachineID = MethodDeclaration<Arguments<>, Arguments<String>>(
    name, "GetMachineId", out: "machine_uuid")
}

/// `org.freedesktop.DBus.Introspectable`.
public enum IntrospectableInterface {
  /// The interface's name.
  public static let name: InterfaceName = "org.freedesktop.DBus.Introspectable"
  /// What stands at the path and below it, as XML.
  public static let introspect = MethodDeclaration<Arguments<>, Arguments<String>>(
    name, "Introspect", out: "xml_data")
}

/// `org.freedesktop.DBus.Properties`.
public enum PropertiesInterface {
  /// The interface's name.
  public static let name: InterfaceName = "org.freedesktop.DBus.Properties"
  /// One property's value.
  public static let get = MethodDeclaration<Arguments<String, String>, Arguments<Variant>>(
    name, "Get", in: "interface_name", "property_name", out: "value")
  /// All of an interface's properties.
  public static let getAll = MethodDeclaration<Arguments<String>, Arguments<[String: Variant]>>(
    name, "GetAll", in: "interface_name", out: "props")
  /// Gives a property a value.
  public static let set = MethodDeclaration<Arguments<String, String, Variant>, Arguments<>>(
    name, "Set", in: "interface_name", "property_name", "value")
  /// Tells of changes: new values, and names whose value is to be asked for.
  public static let changed = SignalDeclaration<Arguments<String, [String: Variant], [String]>>(
    name, "PropertiesChanged", "interface_name", "changed_properties", "invalidated_properties")
}

/// `org.freedesktop.DBus.ObjectManager`.
public enum ObjectManagerInterface {
  /// The interface's name.
  public static let name: InterfaceName = "org.freedesktop.DBus.ObjectManager"
  /// Interfaces by name, each with its properties.
  public typealias Interfaces = [String: [String: Variant]]
  /// Every object below, with its interfaces and their properties.
  public static let getManagedObjects = MethodDeclaration<
    Arguments<>, Arguments<[ObjectPath: Interfaces]>
  >(name, "GetManagedObjects", out: "objects")
  /// Tells that an object has come.
  public static let added = SignalDeclaration<Arguments<ObjectPath, Interfaces>>(
    name, "InterfacesAdded", "object", "interfaces")
  /// Tells that an object has gone.
  public static let removed = SignalDeclaration<Arguments<ObjectPath, [String]>>(
    name, "InterfacesRemoved", "object", "interfaces")
}
