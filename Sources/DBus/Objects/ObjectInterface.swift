/// An interface bound to an object that implements it.
public struct ObjectInterface {
  let object: AnyObject
  private let members: InterfaceMembers

  /// Binds the interface that `table` describes to `object`, which is retained while it is
  /// exported.
  public init<Object, Context>(_ table: InterfaceTable<Object, Context>, of object: Object) {
    self.object = object
    members = table.members
  }

  var name: InterfaceName { members.name }

  var description: InterfaceDescription { members.description }

  // MARK: Methods

  func has(_ member: String) -> Bool { members.methods[member] != nil }

  /// Returns the types of a method's arguments; nil if there is no such method.
  func input(of member: String) -> Signature? { members.methods[member]?.input }

  /// Returns the called method, which may answer later, after a check of the arguments' types.
  func method(of call: Call) throws(DBusError) -> InterfaceMembers.Answer {
    guard let method = members.methods[call.member] else {
      throw .unknownMethod(call.member, in: name.text)
    }
    guard call.message.hasSignature(method.input) else {
      throw mismatch(call.member, call.message.signature)
    }
    return method.answer
  }

  /// Returns the error for arguments of the wrong types.
  private func mismatch(_ member: String, _ actual: Signature) -> DBusError {
    let inputs = description.methods.first { $0.name.text == member }?.inputs ?? []
    let wanted = inputs.map { "\($0.name): \($0.signature)" }.joined(separator: ", ")
    return DBusError(
      .invalidArgs,
      "\(member): the arguments are of type '\(actual)' (expected \(wanted.isEmpty ? "none" : wanted))"
    )
  }

  // MARK: Properties

  /// Returns the index of a property; nil if it does not exist.
  func index(ofProperty name: String) -> Int? { members.index(ofProperty: name) }

  /// Appends a property's value as a variant.
  func writeProperty(at index: Int, to writer: inout MessageWriter) {
    members.properties[index].write(object, &writer)
  }

  /// Appends all properties, `a{sv}`.
  func writeProperties(to writer: inout MessageWriter) {
    writer.entries { writeProperties(asEntriesTo: &$0) }
  }

  /// Appends all properties to an open dictionary.
  func writeProperties(asEntriesTo entries: inout MessageWriter) {
    let properties = members.properties
    for property in properties { write(property, asEntryTo: &entries) }
  }

  /// Appends the arguments of PropertiesChanged, `sa{sv}as`: the new values, and the names of
  /// invalidated properties.
  func writeChanges(of changed: [Int], to writer: inout MessageWriter) {
    let properties = members.properties
    writer.append(name.text)
    writer.entries { entries in
      for index in changed where properties[index].description.notice == .value {
        write(properties[index], asEntryTo: &entries)
      }
    }
    writer.array(alignedTo: String.wireAlignment) { names in
      for index in changed where properties[index].description.notice == .invalidates {
        names.append(properties[index].description.name.text)
      }
    }
  }

  private func write(
    _ property: InterfaceMembers.Property, asEntryTo entries: inout MessageWriter
  ) {
    entries.structure { entry in
      entry.append(property.description.name.text)
      property.write(object, &entry)
    }
  }

  /// Sets a property from the third argument of the call.
  func setProperty(at index: Int, _ call: Call) throws(DBusError) {
    let property = members.properties[index]
    guard let set = property.set else {
      throw DBusError(
        .propertyReadOnly, "property: \(property.description.name) of \(name) cannot be set")
    }
    try set(object, call)
  }
}

extension DBusError {
  static func unknownMethod(_ member: String, in interface: String?) -> DBusError {
    DBusError(
      .unknownMethod,
      interface.map { "method: \($0) has no method '\(member)'" }
        ?? "method: no interface of this object has a method '\(member)'")
  }
}
