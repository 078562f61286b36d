extension Node {
  /// `org.freedesktop.DBus.Properties` of the object at the node.
  static var properties: InterfaceTable<Node> {
    var table = InterfaceTable<Node>(PropertiesInterface.name)
    table.answer(PropertiesInterface.get) { (node, call) throws(DBusError) in
      let (interface, property) = try call.propertyNames()
      let bound = try node.bound(interface, with: property)
      return call.reply(Variant.signature) { writer in bound.write(property, to: &writer) }
    }
    table.answer(PropertiesInterface.getAll) { (node, call) throws(DBusError) in
      let interfaces = try node.named(call.message.arguments(as: String.self))
      return call.reply([String: Variant].signature) { writer in
        writer.entries { entries in
          for bound in interfaces {
            bound.write(bound.description.properties, asEntriesTo: &entries)
          }
        }
      }
    }
    table.answer(PropertiesInterface.set) { (node, call) throws(DBusError) in
      let (interface, property) = try call.propertyNames()
      try node.bound(interface, with: property).set(property, call)
      return .reply(to: call.message)
    }
    table.signal(PropertiesInterface.changed)
    return table
  }

  /// The interface of that name; of the empty name, as the specification allows, all of the object's own.
  private func named(_ interface: String) throws(DBusError) -> [any BoundInterface] {
    let own = object?.interfaces ?? []
    guard !interface.isEmpty else { return own }
    let named = (own + interfaces).filter { $0.description.name.text == interface }
    guard !named.isEmpty else {
      throw DBusError(.unknownInterface, "\(path) has no interface \(Self.shown(interface))")
    }
    return named
  }

  /// The interface of that name that has the property.
  private func bound(
    _ interface: String, with property: String
  ) throws(DBusError) -> any BoundInterface {
    guard let bound = try named(interface).first(where: { $0.hasProperty(property) }) else {
      let owner = interface.isEmpty ? path : interface
      let name = MemberName.isValid(property) ? "'\(property)'" : "of a name that is none"
      throw DBusError(.unknownProperty, "\(owner) has no property \(name)")
    }
    return bound
  }

  /// The name, where it is one; any other text is better not repeated.
  private static func shown(_ interface: String) -> String {
    InterfaceName.isValid(interface) ? "'\(interface)'" : "of a name that is none"
  }
}

extension Call {
  /// The first two arguments of Get and Set.
  fileprivate func propertyNames() throws(DBusError) -> (interface: String, property: String) {
    var reader = MessageReader(message)
    return (reader.string(), reader.string())
  }

  /// A reply with arguments of those types, which `body` appends.
  func reply(_ types: Signature, _ body: (inout MessageWriter) -> Void) -> Message {
    let reply = Message.reply(to: message)
    reply.write(types, body)
    return reply
  }
}
