/// The members of an interface, bound to functions that implement them for objects of one class.
///
/// Dispatch and introspection read the table. All objects of the class share one table.
///
/// A function receives the object, a context, and the arguments of the call. `makeContext` creates
/// the context from the call; by default, the context is the call.
public struct InterfaceTable<Object: AnyObject, Context> {
  @usableFromInline typealias Answer = (AnyObject, Call) throws(DBusError) -> Void

  private(set) var members: InterfaceMembers
  @usableFromInline let makeContext: (Call) -> Context

  /// Creates the table of an interface without members.
  ///
  /// - Parameters:
  ///   - name: the interface.
  ///   - makeContext: creates the context from a call.
  public init(_ name: InterfaceName, context makeContext: @escaping (Call) -> Context) {
    members = InterfaceMembers(name)
    self.makeContext = makeContext
  }

  /// Returns the members for mutation, after copying them if another table shares them.
  private mutating func ownMembers() -> InterfaceMembers {
    if !isKnownUniquelyReferenced(&members) { members = InterfaceMembers(members) }
    return members
  }

  /// Casts an object of a binding.
  ///
  /// An object is bound only to a table of its class, so the cast needs no check.
  @usableFromInline
  static func object(_ object: AnyObject) -> Object { unsafeDowncast(object, to: Object.self) }

  /// Binds a method; an error that `body` throws is sent as the reply.
  ///
  /// `check` may refuse the call before its arguments are decoded, because decoding long lists
  /// takes time.
  ///
  /// It is inlinable, so that the caller's module contains a version for its argument types. The
  /// generic version would look up the types at run time.
  @inlinable
  public mutating func method<each I: BusValue, each O: BusValue>(
    _ declaration: MethodDeclaration<Arguments<repeat each I>, Arguments<repeat each O>>,
    checking check: ((Object, Call) throws(DBusError) -> Void)? = nil,
    _ body: @escaping (Object, Context, repeat each I) throws(DBusError) -> (repeat each O)
  ) {
    let (types, makeContext) = (declaration.description.outputSignature, makeContext)
    bind(declaration) { (object, call) throws(DBusError) in
      try check?(Self.object(object), call)
      var reader = MessageReader(call.message)
      let output = try body(
        Self.object(object), makeContext(call), repeat try (each I).read(from: &reader))
      call.answer(types) { writer in repeat (each output).write(to: &writer) }
    }
  }

  /// Binds a method whose reply may be sent after `body` has returned.
  ///
  /// An error that `body` throws is sent as the reply.
  ///
  /// `check` may refuse the call before its arguments are decoded.
  @inlinable
  public mutating func deferredMethod<each I: BusValue, each O: BusValue>(
    _ declaration: MethodDeclaration<Arguments<repeat each I>, Arguments<repeat each O>>,
    checking check: ((Object, Call) throws(DBusError) -> Void)? = nil,
    _ body:
      @escaping (Object, Context, Reply<repeat each O>, repeat each I) throws(DBusError) -> Void
  ) {
    let (types, makeContext) = (declaration.description.outputSignature, makeContext)
    bind(declaration) { (object, call) throws(DBusError) in
      try check?(Self.object(object), call)
      var reader = MessageReader(call.message)
      let reply = Reply<repeat each O>(to: call, types)
      do throws(DBusError) {
        try body(
          Self.object(object), makeContext(call), reply, repeat try (each I).read(from: &reader))
      } catch { reply.refuse(error) }
    }
  }

  /// Binds a method without arguments, for whose reply `body` returns a function that writes it.
  ///
  /// So a large reply needs memory only once.
  public mutating func writtenMethod<each O: BusValue>(
    _ declaration: MethodDeclaration<Arguments<>, Arguments<repeat each O>>,
    _ body:
      @escaping (Object, Context) throws(DBusError) -> (inout MessageWriter) -> Void
  ) {
    let (types, makeContext) = (declaration.description.outputSignature, makeContext)
    bind(declaration) { (object, call) throws(DBusError) in
      call.answer(types, try body(Self.object(object), makeContext(call)))
    }
  }

  /// Binds a method whose reply `body` sends itself; the arguments' types are checked before.
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

  /// Binds a read-only property.
  public mutating func property<Value: BusValue>(
    _ declaration: PropertyDeclaration<Value>,
    get: @escaping (Object) -> Value
  ) {
    bind(declaration, get: get, set: nil)
  }

  /// Binds a writable property.
  public mutating func property<Value: BusValue>(
    _ declaration: PropertyDeclaration<Value>,
    get: @escaping (Object) -> Value,
    set: @escaping (Object, Context, Value) throws(DBusError) -> Void
  ) {
    let (name, makeContext) = (declaration.description.name, makeContext)
    bind(declaration, get: get) { (object: AnyObject, call: Call) throws(DBusError) -> Void in
      var reader = MessageReader(call.message)
      _ = (reader.string(), reader.string())
      let value: Value
      do throws(DBusError) { value = try VariantOf<Value>.read(from: &reader).content } catch {
        throw DBusError(error.name, "\(name): \(error.message)")
      }
      try set(Self.object(object), makeContext(call), value)
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

extension InterfaceTable where Context == Call {
  /// Creates the table of an interface without members, whose functions get the call.
  public init(_ name: InterfaceName) { self.init(name) { $0 } }
}
