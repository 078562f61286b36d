/// A writer of introspection data.
///
/// Source: the D-Bus specification, "Introspection Data Format".
enum Introspection {
  private static let documentType = """
    <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
     "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
    """

  /// Returns the document of a node with these interfaces and children.
  static func document(of interfaces: [InterfaceDescription], children: [String]) -> String {
    let nodes = children.map { "  <node name=\"\($0)\"/>\n" }
    return documentType + "\n<node>\n" + interfaces.map(element).joined() + nodes.joined()
      + "</node>\n"
  }

  private static func element(_ interface: InterfaceDescription) -> String {
    "  <interface name=\"\(interface.name)\">\n"
      + interface.methods.map(element).joined()
      + interface.properties.map(element).joined()
      + interface.signals.map(element).joined()
      + "  </interface>\n"
  }

  private static func element(_ method: MethodDescription) -> String {
    container(
      "method", method.name,
      method.inputs.map { argument($0, direction: "in") }
        + method.outputs.map { argument($0, direction: "out") })
  }

  private static func element(_ signal: SignalDescription) -> String {
    container("signal", signal.name, signal.arguments.map { argument($0, direction: nil) })
  }

  private static func element(_ property: PropertyDescription) -> String {
    let access = property.isWritable ? "readwrite" : "read"
    let annotation =
      "      <annotation name=\"org.freedesktop.DBus.Property.EmitsChangedSignal\" value=\"\(property.notice.rawValue)\"/>\n"
    return container(
      "property", property.name, property.notice == .value ? [] : [annotation],
      attributes: " type=\"\(property.signature)\" access=\"\(access)\"")
  }

  private static func argument(_ argument: ArgumentDescription, direction: String?) -> String {
    let direction = direction.map { " direction=\"\($0)\"" } ?? ""
    return "      <arg name=\"\(argument.name)\" type=\"\(argument.signature)\"\(direction)/>\n"
  }

  private static func container(
    _ tag: String, _ name: MemberName, _ children: [String], attributes: String = ""
  ) -> String {
    let opening = "    <\(tag) name=\"\(name)\"\(attributes)"
    guard !children.isEmpty else { return opening + "/>\n" }
    return opening + ">\n" + children.joined() + "    </\(tag)>\n"
  }
}
