/// An interface of one object, the object's class forgotten.
protocol BoundInterface {
  var description: InterfaceDescription { get }
  /// The name, which dispatch compares at every call: asking the description for it would copy that.
  var name: InterfaceName { get }
  /// The properties, likewise.
  var properties: [PropertyDescription] { get }
  /// Whether there is such a method.
  func has(_ member: String) -> Bool
  /// Calls the method, whose presence has been asked for, after a check of the arguments' types.
  ///
  /// - Returns: the reply; nil where it comes later.
  func answer(_ member: String, _ call: Call) throws(DBusError) -> Message?
  /// Whether there is such a property.
  func hasProperty(_ name: String) -> Bool
  /// Appends the value, a variant, of a property that is there.
  func write(_ property: String, to writer: inout MessageWriter)
  /// Sets a property that is there from the third argument of the call.
  func set(_ property: String, _ call: Call) throws(DBusError)
}

/// A table and the object that it is for.
struct Binding<Object>: BoundInterface {
  let object: Object
  let table: InterfaceTable<Object>

  var description: InterfaceDescription { table.description }
  var name: InterfaceName { table.name }
  var properties: [PropertyDescription] { table.description.properties }

  func has(_ member: String) -> Bool { table.methods[member] != nil }

  func answer(_ member: String, _ call: Call) throws(DBusError) -> Message? {
    guard let method = table.methods[member] else {
      throw .unknownMethod(member, in: name.text)
    }
    guard call.message.hasSignature(method.input) else {
      throw mismatch(member, call.message.signature)
    }
    return try method.answer(object, call)
  }

  func hasProperty(_ name: String) -> Bool { table.properties[name] != nil }

  func write(_ property: String, to writer: inout MessageWriter) {
    table.properties[property]?.get(object, &writer)
  }

  func set(_ property: String, _ call: Call) throws(DBusError) {
    guard let set = table.properties[property]?.set else {
      throw DBusError(
        .propertyReadOnly, "property \(property) of \(name) cannot be set")
    }
    try set(object, call)
  }

  /// Says what the method takes, argument by argument.
  private func mismatch(_ member: String, _ actual: Signature) -> DBusError {
    let inputs = description.methods.first { $0.name.text == member }?.inputs ?? []
    let wanted = inputs.map { "\($0.name): \($0.signature)" }.joined(separator: ", ")
    return DBusError(
      .invalidArgs,
      "\(member) takes (\(wanted)); the call's arguments are of type '\(actual)'")
  }
}

extension DBusError {
  static func unknownMethod(_ member: String, in interface: String?) -> DBusError {
    DBusError(
      .unknownMethod,
      interface.map { "\($0) has no method '\(member)'" }
        ?? "no interface of this object has a method '\(member)'")
  }
}
