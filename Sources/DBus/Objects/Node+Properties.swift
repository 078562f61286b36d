extension Node {
  /// `org.freedesktop.DBus.Properties` of the object at the node.
  static var properties: InterfaceTable<Node, Call> {
    var table = InterfaceTable<Node, Call>(PropertiesInterface.name)
    table.answer(PropertiesInterface.get) { (node, call) throws(DBusError) in
      let (interface, property) = try call.propertyNames()
      let (bound, index) = try node.bound(interface, with: property)
      call.answer(Variant.signature) { writer in bound.writeProperty(at: index, to: &writer) }
    }
    table.answer(PropertiesInterface.getAll) { (node, call) throws(DBusError) in
      let interfaces = try node.named(call.message.arguments(as: String.self))
      call.answer([String: Variant].signature) { writer in
        writer.entries { entries in
          for bound in interfaces { bound.writeProperties(asEntriesTo: &entries) }
        }
      }
    }
    table.answer(PropertiesInterface.set) { (node, call) throws(DBusError) in
      let (interface, property) = try call.propertyNames()
      let (bound, index) = try node.bound(interface, with: property)
      try bound.setProperty(at: index, call)
      call.answer("") { _ in }
    }
    table.signal(PropertiesInterface.changed)
    return table
  }

  /// Returns the interface with this name.
  ///
  /// The empty name means all of the object's own interfaces, as the specification allows.
  private func named(_ interface: String) throws(DBusError) -> [ObjectInterface] {
    let own = object?.interfaces ?? []
    guard !interface.isEmpty else { return own }
    let named = (own + interfaces).filter { $0.name.text == interface }
    guard !named.isEmpty else {
      throw DBusError(
        .unknownInterface, "interface: \(path) has no interface \(Self.shown(interface))")
    }
    return named
  }

  /// Returns the interface with this name, and the index of the property in it.
  private func bound(
    _ interface: String, with property: String
  ) throws(DBusError) -> (ObjectInterface, index: Int) {
    for bound in try named(interface) {
      if let index = bound.index(ofProperty: property) { return (bound, index) }
    }
    let owner = interface.isEmpty ? path : interface
    let name = MemberName.isValid(property) ? "'\(property)'" : Self.invalidName
    throw DBusError(.unknownProperty, "property: \(owner) has no property \(name)")
  }

  private static let invalidName = "with the given name, which is invalid"

  /// The name of an interface in an error message.
  ///
  /// An invalid name is not shown, because it can contain any characters.
  private static func shown(_ interface: String) -> String {
    InterfaceName.isValid(interface) ? "'\(interface)'" : invalidName
  }
}

extension Call {
  /// The first two arguments of Get and Set.
  fileprivate func propertyNames() throws(DBusError) -> (interface: String, property: String) {
    var reader = MessageReader(message)
    return (reader.string(), reader.string())
  }
}
