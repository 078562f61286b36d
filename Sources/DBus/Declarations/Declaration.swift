/// A method as both sides know it: its name, its arguments' names, and their types in Swift.
///
/// The service binds a closure to it (`InterfaceTable.method`), the client calls it (`Connection.call`); the compiler holds both to
/// the same types. `Input` and `Output` are `Arguments<…>`.
public struct MethodDeclaration<Input, Output>: Sendable {
  /// The interface that the method belongs to.
  public let interface: InterfaceName
  /// Name and arguments, for introspection.
  public let description: MethodDescription

  /// Declares a method; a name is given for every argument.
  public init<each I: BusValue, each O: BusValue>(
    _ interface: InterfaceName, _ name: MemberName, in inputs: String..., out outputs: String...
  ) where Input == Arguments<repeat each I>, Output == Arguments<repeat each O> {
    self.interface = interface
    description = MethodDescription(
      name: name, inputs: described(inputs, as: repeat (each I).self),
      outputs: described(outputs, as: repeat (each O).self))
  }
}

/// A signal as both sides know it.
///
/// `Content` is `Arguments<…>`.
public struct SignalDeclaration<Content>: Sendable {
  /// The interface that the signal belongs to.
  public let interface: InterfaceName
  /// Name and arguments, for introspection.
  public let description: SignalDescription

  /// Declares a signal; a name is given for every argument.
  public init<each C: BusValue>(
    _ interface: InterfaceName, _ name: MemberName, _ arguments: String...
  ) where Content == Arguments<repeat each C> {
    self.interface = interface
    description = SignalDescription(
      name: name, arguments: described(arguments, as: repeat (each C).self))
  }
}

/// A property as both sides know it.
public struct PropertyDeclaration<Value: BusValue>: Sendable {
  /// The interface that the property belongs to.
  public let interface: InterfaceName
  /// Name, type and notice, for introspection.
  public let description: PropertyDescription

  /// Declares a property.
  public init(
    _ interface: InterfaceName, _ name: MemberName, isWritable: Bool = false,
    changes notice: ChangeNotice = .value
  ) {
    self.interface = interface
    description = PropertyDescription(
      name: name, signature: Value.signature, isWritable: isWritable, notice: notice)
  }
}

/// Names and types side by side; a declaration that has not as many of the one as of the other traps.
private func described<each T: BusValue>(
  _ names: [String], as types: repeat (each T).Type
) -> [ArgumentDescription] {
  var signatures: [Signature] = []
  for type in repeat each types { signatures.append(type.signature) }
  precondition(names.count == signatures.count, "a name for every argument: \(names)")
  return zip(names, signatures).map { ArgumentDescription(name: $0, signature: $1) }
}
