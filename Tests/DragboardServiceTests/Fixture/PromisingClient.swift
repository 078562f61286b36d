import DBus
import DragboardInterface
import Files
import Foundation
import TestSupport

/// A client on a separate thread that promises representations.
///
/// The test decides whether each promise is kept or broken.
///
/// `@unchecked` is safe, because only the loop's thread uses the object while the thread runs, except for the
/// log.
final class PromisingClient: @unchecked Sendable {
  /// The loads of the client's promises, and their outcomes.
  let log = LoadLog()
  private let client: BusClient
  private let server: ObjectServer
  private var loaders = 0
  private let hasEnded = DispatchSemaphore(value: 0)

  init(on bus: PrivateBus) throws {
    client = try BusClient(to: bus.address)
    server = ObjectServer(client.connection)
    let thread = Thread { [loop = client.connection.loop, hasEnded] in
      loop.run()
      hasEnded.signal()
    }
    thread.start()
  }

  deinit {
    log.end()
    client.connection.loop.stop()
    hasEnded.wait()
  }

  /// The connection's unique name.
  var name: String { client.name }

  /// Runs `body` on the client's thread and returns its result.
  func run<Result>(_ body: (BusClient) throws -> Result) throws -> Result {
    try withoutActuallyEscaping(body) { body in
      let errand = Errand { [client] in try body(client) }
      client.connection.loop.perform { errand.run() }
      return try errand.result()
    }
  }

  // MARK: Promising

  /// Begins a drag with an item for each loader; each item has one promise.
  func drag(
    as application: String = "org.source", type: String = "text/plain;charset=utf-8",
    _ loaders: [[LoadStep]]
  ) throws -> ObjectPath {
    let session = try run { try $0.beginDrag(as: application) }
    for steps in loaders {
      try promise(steps, type: type, item: try addItem(to: session), of: session)
    }
    return session
  }

  /// Adds an item without a representation.
  func addItem(to session: ObjectPath) throws -> UInt32 {
    try run { try $0.call(DragSessionInterface.addItem, at: session, "") }
  }

  /// Promises a representation.
  ///
  /// Its loader carries out each element of `attempts` once, and then repeats the last one.
  func promise(
    _ attempts: [LoadStep]..., type: String = "text/plain;charset=utf-8",
    visibility: String = "all", item: UInt32 = 0, of session: ObjectPath
  ) throws {
    try run { client in
      let path = export(attempts)
      try client.call(
        DragSessionInterface.registerPromise, at: session, item, type, visibility, path)
    }
  }

  private func export(_ attempts: [[LoadStep]]) -> ObjectPath {
    loaders += 1
    let path = ObjectPath(unchecked: "/loader/\(loaders)")
    let loader = Loader(attempts, of: client, log)
    server.export(path, [ObjectInterface(Loader.table, of: loader)])
    return path
  }

  /// Leaves the bus, as a process does that exits.
  func leave() throws { try run { $0.leave() } }
}

/// The loader object of a promise.
private final class Loader {
  private var attempts: [[LoadStep]]
  private unowned let client: BusClient
  private let log: LoadLog

  init(_ attempts: [[LoadStep]], of client: BusClient, _ log: LoadLog) {
    (self.attempts, self.client, self.log) = (attempts, client, log)
  }

  static var table: InterfaceTable<Loader, Call> {
    var table = InterfaceTable<Loader, Call>(RepresentationLoaderInterface.name)
    table.deferredMethod(RepresentationLoaderInterface.load) {
      (loader, _, reply, session, item, type, pipe) throws(DBusError) in
      loader.load(LoadLog.Load(session: session.element, item: item, type: type), pipe, reply)
    }
    return table
  }

  private func load(_ load: LoadLog.Load, _ pipe: FileDescriptor, _ reply: Reply<>) {
    log.note(heard: client.signals.map(\.member))
    let steps = attempts.count > 1 ? attempts.removeFirst() : attempts[0]
    PromisedLoad(load, steps, pipe, reply, of: client.connection, log).start()
  }
}

/// A task for another thread, while this thread waits for it.
///
/// `@unchecked` is safe, because one thread waits for the other.
private final class Errand<Output>: @unchecked Sendable {
  private var body: (() throws -> Output)?
  private let isDone = DispatchSemaphore(value: 0)
  private var outcome: Result<Output, any Error>?

  init(_ body: @escaping () throws -> Output) { self.body = body }

  /// The closure is released before the waiting thread continues.
  func run() {
    carryOut()
    isDone.signal()
  }

  private func carryOut() {
    guard let body else { return }
    outcome = Result { try body() }
    self.body = nil
  }

  func result() throws -> Output {
    isDone.wait()
    guard let outcome else { throw CancellationError() }
    return try outcome.get()
  }
}
