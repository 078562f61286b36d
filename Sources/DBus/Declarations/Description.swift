/// An argument's name and type.
public struct ArgumentDescription: Hashable, Sendable {
  /// As introspection shows it.
  public let name: String
  /// One complete type.
  public let signature: Signature
}

/// What introspection says of a method.
public struct MethodDescription: Hashable, Sendable {
  /// The method's name.
  public let name: MemberName
  /// What it takes, in order.
  public let inputs: [ArgumentDescription]
  /// What it gives, in order.
  public let outputs: [ArgumentDescription]
  /// Its inputs' types, one after the other.
  public let inputSignature: Signature
  /// Its outputs' types, likewise.
  public let outputSignature: Signature

  init(name: MemberName, inputs: [ArgumentDescription], outputs: [ArgumentDescription]) {
    self.name = name
    self.inputs = inputs
    self.outputs = outputs
    inputSignature = inputs.signature
    outputSignature = outputs.signature
  }
}

/// What introspection says of a signal.
public struct SignalDescription: Hashable, Sendable {
  /// The signal's name.
  public let name: MemberName
  /// What it tells, in order.
  public let arguments: [ArgumentDescription]
  /// Its arguments' types, one after the other.
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

/// What introspection says of a property.
public struct PropertyDescription: Hashable, Sendable {
  /// The property's name.
  public let name: MemberName
  /// One complete type.
  public let signature: Signature
  /// Whether it can be set.
  public let isWritable: Bool
  /// How its changes are told.
  public let notice: ChangeNotice
}

/// How the changes of a property are told: the annotation `org.freedesktop.DBus.Property.EmitsChangedSignal`.
///
/// Source: the D-Bus specification, "Introspection Data Format".
public enum ChangeNotice: String, Sendable {
  /// PropertiesChanged bears the new value; what holds where nothing is said.
  case value = "true"
  /// PropertiesChanged bears the name alone.
  case invalidates
  /// The value never changes.
  case never = "const"
  /// The value changes and nothing tells of it.
  case silent = "false"
}

/// What introspection says of an interface.
public struct InterfaceDescription: Hashable, Sendable {
  /// The interface's name.
  public let name: InterfaceName
  /// Its methods, in the order of their declaration.
  public internal(set) var methods: [MethodDescription] = []
  /// Its signals, likewise.
  public internal(set) var signals: [SignalDescription] = []
  /// Its properties, likewise.
  public internal(set) var properties: [PropertyDescription] = []
}
