/// The exported objects of a connection.
///
/// The server finds the called object and its method. It adds Peer, Introspectable and Properties
/// to every object, and Peer and Introspectable to every path above an object. It is confined to
/// the connection's loop.
public final class ObjectServer {
  /// The connection that is served.
  public let connection: Connection
  /// The outbox that stores replies and signals until its owner sends them; nil if they are sent at
  /// once.
  public var outbox: Outbox? {
    get { connection.outbox }
    set { connection.outbox = newValue }
  }
  /// The admission, which decides when calls are served; nil if every call is served at once.
  public internal(set) var admission: Admission?
  /// Called before each valid call is answered, with the object at its path, if there is one.
  ///
  /// An error that it throws is sent as the reply.
  public var willAnswer: ((Call, AnyObject?) throws(DBusError) -> Void)?
  /// The tables of the standard interfaces; lazy, because most clients receive no call.
  private(set) lazy var tables = StandardTables()
  private(set) var objects: [String: ExportedObject] = [:]
  private var changed: [ExportedObject] = []
  /// The root below which ObjectManager reports objects.
  private(set) var managedRoot: ObjectPath?

  /// Serves a connection until the server is released; a connection has one server.
  ///
  /// The server sends property changes before the next reply, and at the end of the iteration. For
  /// the latter it sets the connection's `onIterationEnd`. A function that replaces this function
  /// must call `flushChanges()`.
  public init(_ connection: Connection) {
    self.connection = connection
    connection.onCall = { [unowned self] in receive($0) }
    connection.onIterationEnd = { [unowned self] in flushChanges() }
  }

  deinit {
    connection.onCall = nil
    connection.onIterationEnd = nil
    connection.outbox = nil
  }

  // MARK: Exporting

  /// Exports an object with its interfaces; an object already at the path is withdrawn.
  public func export(_ path: ObjectPath, _ interfaces: [ObjectInterface]) {
    withdraw(path)
    let object = ExportedObject(path, interfaces, isManaged: isManaged(path))
    objects[path.text] = object
    if object.isManaged { emitAdded(object) }
  }

  /// Withdraws the object at a path, if there is one.
  public func withdraw(_ path: ObjectPath) {
    guard let object = objects.removeValue(forKey: path.text) else { return }
    changed.removeAll { $0 === object }
    if object.isManaged { emitRemoved(object) }
  }

  /// Adds the interface ObjectManager to the object at `path`.
  ///
  /// It reports every object that is exported below `path` from now on.
  public func manageObjects(below path: ObjectPath) { managedRoot = path }

  private func isManaged(_ path: ObjectPath) -> Bool {
    managedRoot.map { $0 != path && $0.contains(path.text) } ?? false
  }

  // MARK: Property changes

  /// Records that a property has changed.
  ///
  /// PropertiesChanged reports all changes of one call together, before the call's reply.
  public func noteChange<Value>(of property: PropertyDeclaration<Value>, at path: ObjectPath) {
    let notice = property.description.notice
    // Usually several properties of one object change together. So try the latest changed object
    // before the look-up.
    guard notice == .value || notice == .invalidates,
      let object = changed.last.flatMap({ $0.path == path ? $0 : nil }) ?? objects[path.text]
    else { return }
    if object.note(property.description.name, of: property.interface) { changed.append(object) }
  }

  /// Clears the recorded property changes without sending them.
  public func discardChanges() {
    for object in changed { object.takeChanges { _, _ in } }
    changed = []
  }

  /// Sends PropertiesChanged for the recorded changes.
  public func flushChanges() {
    guard !changed.isEmpty else { return }
    let objects = changed
    changed = []
    for object in objects {
      object.takeChanges { interface, changes in
        sink.emit(PropertiesInterface.changed, from: object.path) { writer in
          interface.writeChanges(of: changes, to: &writer)
        }
      }
    }
  }

  // MARK: Answering

  private func receive(_ message: Message) {
    serve(message, for: nil)
  }

  func serve(_ message: Message, for client: ClientQueue?) {
    do throws(DBusError) {
      try checkDescriptors(of: message)
      let call = Call(message, by: client, to: self)
      let interfaces = objects[call.path]?.interfaces ?? []
      let called = interfaces.firstIndex {
        message.isOf($0.name) || (!message.namesInterface && $0.has(call.member))
      }
      let answer: InterfaceMembers.Answer? =
        if let called { try interfaces[called].method(of: call) } else { nil }
      try willAnswer?(call, interfaces.first?.object)
      if let answer, let called {
        try answer(interfaces[called].object, call)
      } else {
        try standardAnswer(call)
      }
    } catch { refuse(ReplyAddress(message, from: client), with: error) }
  }

  /// Refuses a call if no argument refers to one of its file descriptors, or if the process has too
  /// few free descriptors.
  ///
  /// Some descriptors are reserved for the files of the process and for the next messages, because
  /// libdbus closes the connection if it cannot receive a descriptor.
  private func checkDescriptors(of call: Message) throws(DBusError) {
    guard call.bearsDescriptors else { return }
    guard !call.hasSurplusDescriptors else { throw .surplusDescriptors }
    guard !DescriptorTable.isAlmostFull else { throw .tooManyDescriptors }
  }

  /// Refuses a call that must wait and has file descriptors, if its method accepts no descriptors.
  ///
  /// The descriptors stay open until the call is answered. Without this check, calls of any method
  /// could occupy all descriptors of the process.
  func checkWaiting(_ call: Message) throws(DBusError) {
    guard call.bearsDescriptors else { return }
    let (path, member) = (call.path ?? "", call.member ?? "")
    guard Node(path, of: self).exists else { throw .unknownObject(path) }
    let input = objects[path]?.interfaces.lazy
      .filter { call.isOf($0.name) || !call.namesInterface }
      .compactMap { $0.input(of: member) }.first
    guard let input, call.hasSignature(input) else { throw .surplusDescriptors }
    try checkDescriptors(of: call)
  }

  /// Replies to a call, unless it was answered or expects no reply.
  @usableFromInline
  func answer(
    _ call: UnansweredCall, _ types: Signature, _ content: (inout MessageWriter) -> Void
  ) {
    if let address = call.take() { answer(address, types, content) }
  }

  /// Replies after sending property changes; sends no reply if the caller expects none.
  func answer(
    _ address: ReplyAddress?, _ types: Signature, _ content: (inout MessageWriter) -> Void
  ) {
    flushChanges()
    guard let address else { return }
    let header = MessageHeader.reply(to: address.serial, from: address.caller)
    guard let reply = OutgoingMessage(header, as: types, content) else {
      return refuse(address, with: .tooLarge)
    }
    send(reply, to: address)
  }

  /// Replies with an error, after sending property changes.
  func refuse(_ address: ReplyAddress?, with error: DBusError) {
    flushChanges()
    guard let address else { return }
    send(.refusal(of: address.serial, from: address.caller, with: error), to: address)
  }

  var sink: any MessageSink {
    if let outbox { outbox } else { connection }
  }

  private func send(_ answer: OutgoingMessage, to address: ReplyAddress) {
    sink.send(answer)
    if let client = address.client { admission?.noteReply(answer, to: client) }
  }

  private func standardAnswer(_ call: Call) throws(DBusError) {
    let (path, member) = (call.path, call.member)
    let node = Node(path, of: self)
    let interfaces = node.interfaces
    if let interface = call.message.interface {
      guard let bound = interfaces.first(where: { $0.name.text == interface }) else {
        guard node.exists else { throw .unknownObject(path) }
        throw DBusError(.unknownInterface, "interface: \(path) has no interface '\(interface)'")
      }
      return try bound.method(of: call)(bound.object, call)
    }
    guard let bound = interfaces.first(where: { $0.has(member) }) else {
      throw node.exists ? .unknownMethod(member, in: nil) : .unknownObject(path)
    }
    try bound.method(of: call)(bound.object, call)
  }
}

extension DBusError {
  fileprivate static let surplusDescriptors = DBusError(
    .invalidArgs,
    "fd: the method does not accept the file descriptors of the call (expected those of the arguments)"
  )
  fileprivate static let tooManyDescriptors = DBusError(
    .limitsExceeded, "fd: three quarters of the file descriptors of the process are in use")

  static func unknownObject(_ path: String) -> DBusError {
    DBusError(.unknownObject, "path: there is no object at \(path)")
  }
}
