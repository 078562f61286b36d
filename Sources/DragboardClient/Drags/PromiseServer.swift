import DBus
import DragboardInterface
import Files

/// The promises of a connection.
///
/// Each promise is an object that the daemon calls to get the bytes. A promise is withdrawn when
/// its session ends or the daemon leaves the bus.
///
/// Unchecked, because it is confined to the loop's thread.
final class PromiseServer: @unchecked Sendable {
  private let bus: Connection
  private let objects: ObjectServer
  private var loaders: [SessionID: [ObjectPath]] = [:]
  private var lastLoader: UInt64 = 0
  private var subscriptions: [Subscription] = []

  init(_ bus: Connection) {
    self.bus = bus
    objects = ObjectServer(bus)
  }

  /// Exports a promise of a session; returns the path of the exported object.
  func export(_ promise: Promise, of session: SessionID) -> ObjectPath {
    listen()
    lastLoader += 1
    let path = ObjectPath(unchecked: "/org/dragboard/Client/loader/\(lastLoader)")
    objects.export(path, [ObjectInterface(Self.table, of: PromisedObject(promise, on: bus))])
    loaders[session, default: []].append(path)
    return path
  }

  private func withdraw(_ session: SessionID) {
    for path in loaders.removeValue(forKey: session) ?? [] { objects.withdraw(path) }
  }

  /// Subscribes, at the first promise, to the ends of sessions and to the daemon's departure.
  private func listen() {
    guard subscriptions.isEmpty else { return }
    let ends = MatchRule(
      sender: Dragboard.busName, pathNamespace: ObjectPath(unchecked: Dragboard.sessionParent),
      interface: DragSessionInterface.name, member: DragSessionInterface.didEnd.description.name)
    subscriptions = [
      bus.subscribe(to: ends) { [weak self] signal in
        guard let path = signal.path.flatMap({ try? ObjectPath($0) }), let number = path.number
        else { return }
        self?.withdraw(SessionID(number))
      },
      bus.names.watchOwner(of: Dragboard.busName) { [weak self] owner in
        guard owner == nil, let self else { return }
        for session in loaders.keys { withdraw(session) }
      },
    ]
  }

  private static var table: InterfaceTable<PromisedObject, Call> {
    var table = InterfaceTable<PromisedObject, Call>(RepresentationLoaderInterface.name)
    table.deferredMethod(RepresentationLoaderInterface.load) {
      (object, call, reply, _, _, _, file) throws(DBusError) in
      object.load(for: call.sender, into: file, reply)
    }
    return table
  }
}

/// The object that the daemon calls to get the bytes of a promise.
///
/// Unchecked, because it is confined to the loop's thread.
private final class PromisedObject: @unchecked Sendable {
  private let promise: Promise
  private let bus: Connection

  init(_ promise: Promise, on bus: Connection) {
    self.promise = promise
    self.bus = bus
  }

  /// Writes the promised bytes if the caller is the daemon; refuses any other caller.
  func load(for caller: String, into file: FileDescriptor, _ reply: Reply<>) {
    bus.call(
      BusInterface.getNameOwner, at: BusInterface.path, of: .bus, Dragboard.busName.text
    ) { [promise, bus] owner in
      guard case .success(caller) = owner else {
        return reply.refuse(DBusError(.accessDenied, "only the daemon may request promised bytes"))
      }
      Self.keep(promise, into: file, PendingReply(reply), on: bus.loop)
    }
  }

  /// Writes the bytes on a new thread, and then replies on the loop's thread.
  private static func keep(
    _ promise: Promise, into file: FileDescriptor, _ reply: PendingReply, on loop: EventLoop
  ) {
    let writer = PromiseWriter(file)
    do throws(SystemError) {
      try DetachedThread.start {
        let result = Result { try promise.write(writer) }
        writer.close()
        loop.perform { reply.conclude(result) }
      }
    } catch {
      reply.conclude(.failure(error))
    }
  }
}

/// A reply that a thread of a promise carries from the loop's thread and back.
///
/// Unchecked, because it is used only on the loop's thread.
private final class PendingReply: @unchecked Sendable {
  private let reply: Reply<>

  init(_ reply: Reply<>) { self.reply = reply }

  func conclude(_ result: Result<Void, any Error>) {
    switch result {
    case .success: reply.send()
    case .failure(let error): reply.refuse(DBusError(.failed, "\(error)"))
    }
  }
}
