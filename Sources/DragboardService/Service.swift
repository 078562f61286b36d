import Callers
package import DBus
import DragModel
import DragboardInterface
package import DragboardStore
package import Logging

/// The Dragboard service on a bus.
///
/// The service creates its parts and connects them. No part refers to the service.
///
/// The service is confined to the connection's event loop.
public final class Service {
  private let connection: Connection
  let server: ObjectServer
  private let store: BoardStore
  let transactions: Transactions
  let scheduler: Scheduler
  let admission: Admission
  let parts: Parts
  private let limits: Limits
  private var shutdown: ShutdownSequence?
  private var idleWatch: IdleWatch?

  /// Creates a service that is not on the bus yet.
  ///
  /// - Parameters:
  ///   - connection: the connection to the bus.
  ///   - store: stores the boards.
  ///   - limits: the limits of the resources that clients can use.
  ///   - sandboxedRead: whether sandboxed clients may read the rows of other sources.
  ///   - log: receives the problems that clients do not see.
  ///   - now: returns the time of the wall clock, in microseconds since 1970, UTC.
  ///   - elapsed: returns the time since any moment, including the time for which the system was
  ///     suspended; nil for the system's clock.
  package init(
    on connection: Connection, store: BoardStore, limits: Limits,
    sandboxedRead: Bool = false, log: Logger, now: @escaping () -> UInt64,
    elapsed: (() -> Duration)? = nil
  ) {
    (self.connection, self.store, self.limits) = (connection, store, limits)
    server = ObjectServer(connection)
    let transactions = Transactions(server, store, log)
    self.transactions = transactions
    scheduler = Scheduler(connection.loop, transactions, WorkerPool(connection.loop))
    let callers = CallerIdentification(connection) { [scheduler] name, work, then in
      scheduler.work(inLane: name, kind: .inspection, work) { _, evidence in then(evidence) }
    }
    admission = Admission(server) { name, then in
      callers.identify(name) { caller, validity in
        let access = BoardAccess(of: caller, opensContents: sandboxedRead)
        then(Identity(Client(access), sandbox: access.sandboxOfQuotas, validFor: validity))
      }
    }
    let start = ContinuousClock.now
    parts = Parts(
      server, store, transactions, scheduler, admission, limits: limits, log, now: now,
      elapsed: elapsed ?? { ContinuousClock.now - start })
  }

  /// Exports all objects, and then acquires the name of the service.
  ///
  /// So a client that sees the name also sees all boards.
  ///
  /// - Returns: whether the name was free.
  /// - Throws: `StoreError` if the boards cannot be read or "default" cannot be created;
  ///   `DBusError` if the bus refuses a request.
  public func start() throws -> Bool {
    server.manageObjects(below: Dragboard.root)
    try parts.boards.load(in: transactions.current)
    try transactions.commit()
    server.export(
      Dragboard.root, [ObjectInterface(parts.manager.table(parts.context), of: parts.manager)])
    server.willAnswer = { [unowned self] call, object throws(DBusError) in
      try prepare(for: call, of: object)
    }
    admission.isUncommitted = { [transactions] in transactions.current.isUncommitted }
    connection.willHandleMessage = { [transactions] in transactions.beginStep() }
    connection.onIterationEnd = { [unowned self] in endIteration() }
    guard try connection.names.request(Dragboard.busName, .replaceable) == .owner else {
      return false
    }
    parts.purge.later()
    parts.words.noteRows()
    return true
  }

  // MARK: The end

  /// The flags with which the name is acquired.
  static let nameFlags = NameRequestFlags([.replaceable, .notWaiting]).rawValue

  /// Prepares the service to leave the bus.
  ///
  /// From then on, ``leave()`` can be called. The service calls it when another daemon takes the
  /// name.
  ///
  /// - Parameters:
  ///   - isActivated: whether the bus starts the service for a call. If so, the service leaves
  ///     after the idle timeout, because the next call starts it again.
  ///   - isReplaced: returns whether another version of the program was installed. If so, an
  ///     activated service leaves as soon as there are no sessions and no views.
  ///   - onLeaving: is called with true before the name is released, and with false if the service
  ///     stays after all.
  ///   - onEnd: is called when ``stop()`` must be called.
  public func prepareToLeave(
    isActivated: Bool, isReplaced: @escaping () -> Bool = { false },
    onLeaving: @escaping (Bool) -> Void, onEnd: @escaping () -> Void
  ) {
    let shutdown = ShutdownSequence(
      connection, scheduler, self, onLeaving: onLeaving, onEnd: onEnd)
    self.shutdown = shutdown
    connection.subscribe(to: BusInterface.nameLost, of: .bus) { [unowned self] name in
      if name == Dragboard.busName.text { leave() }
    }
    guard isActivated else { return }
    idleWatch = IdleWatch(scheduler, timeout: limits.idleTimeout) { [unowned self] in
      !isInUse && isAtRest
    } isReplaced: {
      isReplaced()
    } onIdle: {
      shutdown.begin(isForced: false)
    }
    idleWatch?.start()
  }

  /// Releases the name, completes the work in progress, and then calls `onEnd`.
  public func leave() { shutdown?.begin(isForced: true) }

  /// Commits the open transaction, ends every session, and leaves the bus.
  public func stop() {
    transactions.endIteration()
    parts.drags.endAll()
    transactions.endIteration()
    connection.close()
  }

  // MARK: Calls

  private func prepare(for call: Call, of object: AnyObject?) throws(DBusError) {
    try transactions.readBack()
    idleWatch?.wasUsed = true
    parts.trim.noteCall()
    let step = transactions.current
    if let entity = object as? Entity {
      entity.noteUse(at: scheduler.uptime)
      step.read(entity)
    } else if step.isInTransaction, call.path == Dragboard.root.text {
      prepareForRoot(call, in: step)
    }
  }

  /// Records the dependencies of a call to the root object.
  ///
  /// The properties of the root object depend on the sessions, and GetManagedObjects depends on all
  /// objects.
  private func prepareForRoot(_ call: Call, in step: Step) {
    let showsAll = ObjectManagerInterface.getManagedObjects.description.name.text
    let propertiesName = PropertiesInterface.name.text
    if call.member == showsAll { return step.readEverything() }
    if call.message.interface ?? propertiesName == propertiesName { step.read(parts.sessions) }
  }

  private func endIteration() {
    transactions.endIteration()
    parts.largeReads.startSome()
    if store.hasGarbage { parts.purge.later() }
  }
}

extension Service: Activity {
  var isInUse: Bool { !parts.sessions.isEmpty || !parts.views.isEmpty }

  var isAtRest: Bool {
    transactions.pendingSteps == 0 && parts.work.isAtRest && admission.isAtRest
      && !parts.words.isAwaited && !parts.searches.isInUse
  }
}
