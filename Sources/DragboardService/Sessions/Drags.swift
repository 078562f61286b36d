import DBus
import DragModel
import DragboardInterface

/// The beginning and the end of drags, and drops on boards.
///
/// Only this type connects sessions and drops.
final class Drags {
  let sessions: Sessions
  let scheduler: Scheduler
  let purge: Purge
  let insertions: BoardInsertions
  let promises: PromiseQueue
  private let peers: PeerWatch
  private let timeout: Duration
  /// The drops that wait for items, by the paths of their sessions.
  var jobs: [String: DropJob] = [:]
  /// Fires when the least recently used active session may have reached its timeout.
  private var expiry: Timer?

  init(
    _ sessions: Sessions, _ peers: PeerWatch, _ scheduler: Scheduler, _ purge: Purge,
    _ insertions: BoardInsertions, _ promises: PromiseQueue, timeout: Duration
  ) {
    (self.sessions, self.peers, self.scheduler) = (sessions, peers, scheduler)
    (self.purge, self.insertions, self.promises) = (purge, insertions, promises)
    self.timeout = timeout
  }

  // MARK: Beginning

  /// Begins a drag.
  ///
  /// - Throws: LimitsExceeded if there are too many sessions; the message names the limit. IOError
  ///   if the call depends on edits that cannot be stored.
  func begin(
    _ session: DragSession, of board: ObjectPath = "/", by command: Command
  ) throws(DBusError) -> SessionEntity {
    let (step, itemCount) = (command.step, session.itemCount)
    let session = try sessions.begin(session, of: board, by: command)
    step.emit(ManagerInterface.dragBegan, from: Dragboard.root, session.path, session.application)
    watch(session.session.source, endsWith: session, in: step)
    if itemCount > 0 {
      step.emit(DragSessionInterface.itemsAdded, from: session.path, 0, UInt32(itemCount))
    }
    armExpiry()
    return session
  }

  /// If the application is a single connection, ends the session when the connection leaves the
  /// bus.
  private func watch(_ application: Application, endsWith session: SessionEntity, in step: Step) {
    guard case .uniqueName(let name) = application else { return }
    step.afterCommit { [self] in
      guard !session.isOver else { return }
      session.departures.append(
        peers.onDeparture(of: name) { [weak self] step in
          self?.end(session, in: step) { $0.connectionLeft(name) }
        })
    }
  }

  // MARK: Accepting the drop

  /// Accepts the drop for a client.
  ///
  /// - Returns: the granted operation. If it is `forbidden`, the session is unchanged.
  func accept(
    _ operation: DropOperation, of session: SessionEntity, by client: Application, in step: Step
  ) throws(DBusError) -> DropOperation {
    var granted = DropOperation.forbidden
    do throws(DragError) {
      try session.change(in: step) { session throws(DragError) in
        granted = try session.accept(operation, by: client)
      }
    } catch { throw error.answer(argument: "") }
    if granted != .forbidden {
      step.emit(DragSessionInterface.willEnd, from: session.path, granted.rawValue)
      watch(client, endsWith: session, in: step)
    }
    return granted
  }

  // MARK: The end

  /// Ends a session if `event` returns a conclusion.
  func end<Failure: Error>(
    _ session: SessionEntity, in step: Step,
    _ event: (inout DragSession) throws(Failure) -> DragConclusion?
  ) throws(Failure) {
    // The end changes the list of sessions, so it also depends on the list.
    step.read(sessions)
    var conclusion: DragConclusion?
    try session.change(in: step) { session throws(Failure) in conclusion = try event(&session) }
    if let conclusion { conclude(session, conclusion, in: step) }
  }

  /// Ends every session, because the daemon leaves the bus.
  func endAll() {
    for session in sessions.active {
      scheduler.step { end(session, in: $0) { $0.shutDown() } }
    }
  }

  /// Reports the end of a session, and cancels its loads and its drop.
  func conclude(_ session: SessionEntity, _ conclusion: DragConclusion, in step: Step) {
    let job = jobs[session.path.text]
    if let job { leave(job, in: step) }
    report(conclusion, of: session, in: step)
    sessions.noteEnd(of: session, in: step)
    job?.reply.send(DropOperation.cancel.rawValue, [])
    step.afterCommit { [self] in
      for departure in session.departures { peers.cancel(departure) }
      session.departures = []
      scheduler.step { session.cancelLoads(in: $0) }
    }
    // A rollback cannot undo the effects of a loader's reply. So no reply may be handled before the
    // end of the session is committed.
    if step.isUncommitted, session.isLoading || job != nil { step.commitNow() }
  }

  private func report(_ conclusion: DragConclusion, of session: SessionEntity, in step: Step) {
    let (path, operation) = (session.path, conclusion.operation.rawValue)
    if let intended = conclusion.willEnd {
      step.emit(DragSessionInterface.willEnd, from: path, intended.rawValue)
    }
    if let transfer = conclusion.transfer {
      step.emit(
        DragSessionInterface.didTransferItems, from: path, transfer.loaded.map(UInt32.init),
        transfer.failed.map(UInt32.init))
    }
    step.emit(DragSessionInterface.didEnd, from: path, operation)
    step.emit(
      ManagerInterface.dragEnded, from: Dragboard.root, path, session.application, operation)
  }

  // MARK: Timeouts

  /// Starts the timer if it is not running.
  ///
  /// It takes O(active sessions), but is needed at most once within the timeout of a session.
  private func armExpiry() {
    guard expiry == nil, let first = sessions.active.lazy.map(\.lastUse).min() else { return }
    let delay = first + timeout - scheduler.uptime
    expiry = scheduler.after(max(.zero, delay)) { [weak self] _ in
      self?.expiry = nil
      self?.expire()
      self?.armExpiry()
    }
  }

  private func expire() {
    let latest = scheduler.uptime - timeout
    for session in sessions.active where session.lastUse <= latest {
      if session.isLoading || jobs[session.path.text] != nil {
        session.noteUse(at: scheduler.uptime)
      } else {
        scheduler.step { end(session, in: $0) { $0.timeOut() } }
      }
    }
  }
}
