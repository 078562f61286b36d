/// The declaration of a method for both sides: its name, and the names and Swift types of its
/// arguments.
///
/// A service binds a function to the declaration (`InterfaceTable.method`), and a client calls the
/// method with it (`Connection.call`). So the compiler checks the types on both sides. `Input` and
/// `Output` are `Arguments<…>`.
public struct MethodDeclaration<Input, Output>: Sendable {
  /// The interface that the method belongs to.
  public let interface: InterfaceName
  /// The name and the arguments, for introspection.
  public let description: MethodDescription

  /// Declares a method, with a name for each argument.
  public init<each I: BusValue, each O: BusValue>(
    _ interface: InterfaceName, _ name: MemberName, in inputs: String..., out outputs: String...
  ) where Input == Arguments<repeat each I>, Output == Arguments<repeat each O> {
    self.interface = interface
    description = MethodDescription(
      name: name, inputs: described(inputs, as: repeat (each I).self),
      outputs: described(outputs, as: repeat (each O).self))
  }
}

/// The declaration of a signal for both sides.
///
/// `Content` is `Arguments<…>`.
public struct SignalDeclaration<Content>: Sendable {
  /// The interface that the signal belongs to.
  public let interface: InterfaceName
  /// The name and the arguments, for introspection.
  public let description: SignalDescription

  /// Declares a signal, with a name for each argument.
  public init<each C: BusValue>(
    _ interface: InterfaceName, _ name: MemberName, _ arguments: String...
  ) where Content == Arguments<repeat each C> {
    self.interface = interface
    description = SignalDescription(
      name: name, arguments: described(arguments, as: repeat (each C).self))
  }
}

/// The declaration of a property for both sides.
public struct PropertyDeclaration<Value: BusValue>: Sendable {
  /// The interface that the property belongs to.
  public let interface: InterfaceName
  /// The name, type and change notice, for introspection.
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

/// Pairs names and types; traps if their numbers differ.
private func described<each T: BusValue>(
  _ names: [String], as types: repeat (each T).Type
) -> [ArgumentDescription] {
  var signatures: [Signature] = []
  for type in repeat each types { signatures.append(type.signature) }
  precondition(names.count == signatures.count, "each argument needs a name: \(names)")
  return zip(names, signatures).map { ArgumentDescription(name: $0, signature: $1) }
}
