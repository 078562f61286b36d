/// The name and the type of an argument.
public struct ArgumentDescription: Hashable, Sendable {
  /// The name in introspection data.
  public let name: String
  /// The type: one complete type.
  public let signature: Signature
}

/// A method in introspection data.
public struct MethodDescription: Hashable, Sendable {
  /// The method's name.
  public let name: MemberName
  /// The input arguments, in order.
  public let inputs: [ArgumentDescription]
  /// The output arguments, in order.
  public let outputs: [ArgumentDescription]
  /// The types of the inputs.
  public let inputSignature: Signature
  /// The types of the outputs.
  public let outputSignature: Signature

  init(name: MemberName, inputs: [ArgumentDescription], outputs: [ArgumentDescription]) {
    self.name = name
    self.inputs = inputs
    self.outputs = outputs
    inputSignature = inputs.signature
    outputSignature = outputs.signature
  }
}

/// A signal in introspection data.
public struct SignalDescription: Hashable, Sendable {
  /// The signal's name.
  public let name: MemberName
  /// The arguments, in order.
  public let arguments: [ArgumentDescription]
  /// The types of the arguments.
  public let signature: Signature

  init(name: MemberName, arguments: [ArgumentDescription]) {
    self.name = name
    self.arguments = arguments
    signature = arguments.signature
  }
}

extension [ArgumentDescription] {
  fileprivate var signature: Signature { Signature(unchecked: map(\.signature.text).joined()) }
}

/// A property in introspection data.
public struct PropertyDescription: Hashable, Sendable {
  /// The property's name.
  public let name: MemberName
  /// The type: one complete type.
  public let signature: Signature
  /// Whether clients can set it.
  public let isWritable: Bool
  /// The way in which changes are reported.
  public let notice: ChangeNotice
}

/// The way in which changes of a property are reported: the annotation
/// `org.freedesktop.DBus.Property.EmitsChangedSignal`.
///
/// Source: the D-Bus specification, "Introspection Data Format".
public enum ChangeNotice: String, Sendable {
  /// PropertiesChanged contains the new value; the default.
  case value = "true"
  /// PropertiesChanged contains only the name.
  case invalidates
  /// The value never changes.
  case never = "const"
  /// Changes are not reported.
  case silent = "false"
}

/// An interface in introspection data.
public struct InterfaceDescription: Hashable, Sendable {
  /// The interface's name.
  public let name: InterfaceName
  /// The methods, in the order of their declaration.
  public internal(set) var methods: [MethodDescription] = []
  /// The signals, in the order of their declaration.
  public internal(set) var signals: [SignalDescription] = []
  /// The properties, in the order of their declaration.
  public internal(set) var properties: [PropertyDescription] = []
}
