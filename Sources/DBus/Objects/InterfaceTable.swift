/// An interface as objects of one class implement it: what dispatch and introspection are read off.
///
/// Made once for a class of objects and shared by all of them.
public struct InterfaceTable<Object: AnyObject> {
  @usableFromInline typealias Answer = (AnyObject, Call) throws(DBusError) -> Void

  private(set) var members: InterfaceMembers

  /// An interface without members yet.
  public init(_ name: InterfaceName) { members = InterfaceMembers(name) }

  /// The members, to be changed: a copy of the table keeps its own.
  private mutating func ownMembers() -> InterfaceMembers {
    if !isKnownUniquelyReferenced(&members) { members = InterfaceMembers(members) }
    return members
  }

  /// The object that a binding has with a table of this type: it is made of both at once, and there is nothing to check.
  @usableFromInline
  static func object(_ object: AnyObject) -> Object { unsafeDowncast(object, to: Object.self) }

  /// Binds a method; what `body` throws is the answer's error.
  ///
  /// `check` may refuse the call before its arguments are decoded, which takes time for long lists.
  ///
  /// Inlinable, as `Message.append` and `Connection.emit` are, so that the caller's module gets a copy for the very types of the
  /// arguments; the general one looks them up at run time.
  @inlinable
  public mutating func method<each I: BusValue, each O: BusValue>(
    _ declaration: MethodDeclaration<Arguments<repeat each I>, Arguments<repeat each O>>,
    checking check: ((Object, Call) throws(DBusError) -> Void)? = nil,
    _ body: @escaping (Object, Call, repeat each I) throws(DBusError) -> (repeat each O)
  ) {
    let types = declaration.description.outputSignature
    bind(declaration) { (object, call) throws(DBusError) in
      try check?(Self.object(object), call)
      var reader = MessageReader(call.message)
      let output = try body(Self.object(object), call, repeat try (each I).read(from: &reader))
      call.answer(types) { writer in repeat (each output).write(to: &writer) }
    }
  }

  /// Binds a method whose reply may come after `body` has returned; what `body` throws is the answer's error.
  ///
  /// `check` may refuse the call before its arguments are decoded.
  @inlinable
  public mutating func deferredMethod<each I: BusValue, each O: BusValue>(
    _ declaration: MethodDeclaration<Arguments<repeat each I>, Arguments<repeat each O>>,
    checking check: ((Object, Call) throws(DBusError) -> Void)? = nil,
    _ body: @escaping (Object, Call, Reply<repeat each O>, repeat each I) throws(DBusError) -> Void
  ) {
    let types = declaration.description.outputSignature
    bind(declaration) { (object, call) throws(DBusError) in
      try check?(Self.object(object), call)
      var reader = MessageReader(call.message)
      let reply = Reply<repeat each O>(to: call, types)
      do throws(DBusError) {
        try body(Self.object(object), call, reply, repeat try (each I).read(from: &reader))
      } catch { reply.refuse(error) }
    }
  }

  /// Binds a method that `body` answers itself; the arguments' types have been checked.
  mutating func answer<Input, Output>(
    _ declaration: MethodDeclaration<Input, Output>,
    _ body: @escaping (Object, Call) throws(DBusError) -> Void
  ) {
    bind(declaration) { (object, call) throws(DBusError) in try body(Self.object(object), call) }
  }

  @usableFromInline
  mutating func bind<Input, Output>(
    _ declaration: MethodDeclaration<Input, Output>, _ body: @escaping Answer
  ) {
    let (description, members) = (declaration.description, ownMembers())
    members.description.methods.append(description)
    members.methods[description.name.text] = InterfaceMembers.Method(
      input: description.inputSignature, answer: body)
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
    bind(declaration, get: get) { (object: AnyObject, call: Call) throws(DBusError) -> Void in
      var reader = MessageReader(call.message)
      _ = (reader.string(), reader.string())
      let value: Value
      do throws(DBusError) { value = try VariantOf<Value>.read(from: &reader).content } catch {
        throw DBusError(error.name, "property \(name): \(error.message)")
      }
      try set(Self.object(object), call, value)
    }
  }

  /// Declares a signal that objects of this class send.
  public mutating func signal<Content>(_ declaration: SignalDeclaration<Content>) {
    ownMembers().description.signals.append(declaration.description)
  }

  private mutating func bind<Value: BusValue>(
    _ declaration: PropertyDeclaration<Value>, get: @escaping (Object) -> Value, set: Answer?
  ) {
    let (description, members) = (declaration.description, ownMembers())
    members.description.properties.append(description)
    members.properties.append(
      InterfaceMembers.Property(
        description: description,
        write: { object, writer in
          writer.variant(of: description.signature) { get(Self.object(object)).write(to: &$0) }
        }, set: set))
  }
}
