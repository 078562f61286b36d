/// An interface as objects of one class implement it: what dispatch and introspection are read off.
///
/// Made once for a class of objects and shared by all of them.
public struct InterfaceTable<Object> {
  @usableFromInline typealias Answer = (Object, Call) throws(DBusError) -> Message?
  typealias Getter = (Object, inout MessageWriter) -> Void
  typealias Setter = (Object, Call) throws(DBusError) -> Void

  /// What a call of a method takes, and how it is answered.
  struct Method {
    let input: Signature
    let answer: Answer
  }

  /// How a property is read, and how it is set where it can be.
  struct Property {
    let get: Getter
    let set: Setter?
  }

  let name: InterfaceName
  /// What introspection says of it.
  public private(set) var description: InterfaceDescription
  private(set) var methods: [String: Method] = [:]
  private(set) var properties: [String: Property] = [:]

  /// An interface without members yet.
  public init(_ name: InterfaceName) {
    self.name = name
    description = InterfaceDescription(name: name)
  }

  /// Binds a method; what `body` throws is the answer's error.
  ///
  /// Inlinable, as `Message.append` and `Connection.emit` are, so that the caller's module gets a copy for the very types of the
  /// arguments; the general one looks them up at run time.
  @inlinable
  public mutating func method<each I: BusValue, each O: BusValue>(
    _ declaration: MethodDeclaration<Arguments<repeat each I>, Arguments<repeat each O>>,
    _ body: @escaping (Object, Call, repeat each I) throws(DBusError) -> (repeat each O)
  ) {
    let types = declaration.description.outputSignature
    answer(declaration) { (object, call) throws(DBusError) in
      var reader = MessageReader(call.message)
      let output = try body(object, call, repeat try (each I).read(from: &reader))
      let reply = Message.reply(to: call.message)
      reply.append(as: types, repeat each output)
      return reply
    }
  }

  /// Binds a method whose reply may come after `body` has returned; what `body` throws is the answer's error.
  @inlinable
  public mutating func deferredMethod<each I: BusValue, each O: BusValue>(
    _ declaration: MethodDeclaration<Arguments<repeat each I>, Arguments<repeat each O>>,
    _ body: @escaping (Object, Call, Reply<repeat each O>, repeat each I) throws(DBusError) -> Void
  ) {
    let types = declaration.description.outputSignature
    answer(declaration) { (object, call) throws(DBusError) in
      var reader = MessageReader(call.message)
      let reply = Reply<repeat each O>(to: call, types)
      do throws(DBusError) {
        try body(object, call, reply, repeat try (each I).read(from: &reader))
      } catch { reply.refuse(error) }
      return nil
    }
  }

  /// Binds a method whose reply `body` makes itself; the arguments' types have been checked.
  @usableFromInline
  mutating func answer<Input, Output>(
    _ declaration: MethodDeclaration<Input, Output>, _ body: @escaping Answer
  ) {
    description.methods.append(declaration.description)
    methods[declaration.description.name.text] = Method(
      input: declaration.description.inputSignature, answer: body)
  }

  /// Binds a property that is read.
  public mutating func property<Value: BusValue>(
    _ declaration: PropertyDeclaration<Value>,
    get: @escaping (Object) -> Value
  ) {
    bind(declaration, get: get, set: nil)
  }

  /// Binds a property that is read and set.
  public mutating func property<Value: BusValue>(
    _ declaration: PropertyDeclaration<Value>,
    get: @escaping (Object) -> Value,
    set: @escaping (Object, Call, Value) throws(DBusError) -> Void
  ) {
    let name = declaration.description.name
    bind(declaration, get: get) { (object: Object, call: Call) throws(DBusError) -> Void in
      var reader = MessageReader(call.message)
      _ = (reader.string(), reader.string())
      let value: Value
      do throws(DBusError) { value = try VariantOf<Value>.read(from: &reader).content } catch {
        throw DBusError(error.name, "property \(name): \(error.message)")
      }
      try set(object, call, value)
    }
  }

  /// Declares a signal that objects of this class send.
  public mutating func signal<Content>(_ declaration: SignalDeclaration<Content>) {
    description.signals.append(declaration.description)
  }

  private mutating func bind<Value: BusValue>(
    _ declaration: PropertyDeclaration<Value>,
    get: @escaping (Object) -> Value, set: Setter?
  ) {
    description.properties.append(declaration.description)
    let type = declaration.description.signature
    let getter: Getter = { object, writer in
      writer.variant(of: type) { get(object).write(to: &$0) }
    }
    properties[declaration.description.name.text] = Property(get: getter, set: set)
  }
}
