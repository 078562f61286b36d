import BoardModel
import DBus
import DragModel
import DragboardInterface

/// A drag session as the bus sees it: asks the pure session, tells what it says.
final class SessionObject {
  let path: ObjectPath
  let service: Service
  private(set) var session: DragSession
  /// The path of the rows' board; "/" where the items are no rows.
  let sourceBoard: ObjectPath
  /// What rows that a drop makes of it bear as their source.
  let rowSource: String
  /// The sandbox of the client that drags; nil outside of one.
  let sandbox: String?
  /// How much of a drop is loaded, from 0 to 1.
  private(set) var progress = 0.0
  /// When it began, in the loop's running time.
  let beginning: Duration
  /// When a call last named the session, in the loop's running time.
  var lastUse: Duration
  /// What is being loaded of it.
  private(set) lazy var loads = SessionLoads(service)
  /// The drop on a board that waits for something.
  var drop: Drop?
  private weak var board: BoardObject?
  /// The connections without which it ends: the source, the client that took the drop.
  private var departures: [PeerWatch.Token] = []
  private lazy var progressNotice = Throttle(service) { [weak self] in self?.tellProgress() }

  init(
    _ number: UInt64, _ session: DragSession, from board: BoardObject?, by access: BoardAccess,
    service: Service
  ) {
    path = Dragboard.sessionPath(number)
    self.session = session
    self.board = board
    self.service = service
    beginning = service.uptime
    lastUse = beginning
    sourceBoard = board?.path ?? "/"
    sandbox = access.sandboxOfQuotas
    rowSource = access.source(ofDragBy: session.source)
  }

  /// The ids of the rows that are dragged.
  var sourceRows: [String] { session.origin?.rows.map(service.ids.id) ?? [] }

  /// How many rows are dragged.
  var rowCount: Int { session.origin?.rows.count ?? 0 }

  /// Who drags, as the wire has it.
  var application: String { session.source.description }

  /// The operation as the wire has it: "" before the first proposal.
  var operation: String { session.operation?.rawValue ?? "" }

  // MARK: Beginning and end

  /// Tells that the drag has begun, and watches the source where it is one connection.
  func begin() {
    board?.countDrags(1)
    service.batch.emit(ManagerInterface.dragBegan, from: Dragboard.root, path, application)
    watchSource()
  }

  private func watchSource() { watch(session.source) }

  /// Has the session told when an application leaves that is one connection.
  func watch(_ application: Application) {
    guard case .uniqueName(let name) = application else { return }
    let departure = service.peers.onDeparture(of: name) { [weak self] in
      self?.apply { $0.connectionLeft(name) }
    }
    if let departure { departures.append(departure) }
  }

  /// Lets an event of its own befall the session, and tells where that ends it.
  func apply(_ event: (inout DragSession) -> DragConclusion?) {
    service.batch.beginStep()
    willEnd()
    var conclusion: DragConclusion?
    change { conclusion = event(&$0) }
    if let conclusion { tell(conclusion) }
  }

  /// Comes before whatever may end the session: that is told by the list of sessions, too, and is as unsure as it.
  func willEnd() { service.batch.reading(service.sessions) }

  /// Tells that the session has ended, and how; what was still being loaded is wanted no more.
  func tell(_ conclusion: DragConclusion) {
    let operation = conclusion.operation.rawValue
    let drop = drop
    drop?.stopWaiting()
    if let intended = conclusion.willEnd { emit(DragSessionInterface.willEnd, intended.rawValue) }
    if let transfer = conclusion.transfer {
      emit(
        DragSessionInterface.didTransferItems, transfer.loaded.map(UInt32.init),
        transfer.failed.map(UInt32.init))
    }
    emit(DragSessionInterface.didEnd, operation)
    service.batch.emit(
      ManagerInterface.dragEnded, from: Dragboard.root, path, application, operation)
    for departure in departures { service.peers.forget(departure) }
    departures = []
    progressNotice.stop()
    board?.countDrags(-1)
    service.sessions.hasEnded(self)
    drop?.answerCancelled()
    loads.end()
  }

  /// Sends a signal of the session.
  func emit<each C: BusValue>(
    _ signal: SignalDeclaration<Arguments<repeat each C>>, _ content: repeat each C
  ) {
    service.batch.emit(signal, from: path, repeat each content)
  }

  // MARK: Changes

  /// Changes the session, and notes for those who look what that has changed.
  ///
  /// The session is copied only where a batch may have to take the change back: a copy makes the next item cost as much as all.
  func change<Failure: Error>(
    _ body: (inout DragSession) throws(Failure) -> Void
  ) throws(Failure) {
    service.batch.reading(self)
    let before = Appearance(of: session)
    let earlier = service.batch.isProvisional ? session : nil
    let oldProgress = progress
    try body(&session)
    if let earlier {
      service.batch.touch(self) { [self] in restore(earlier, progress: oldProgress) }
    }
    noteChanges(since: before)
  }

  /// What of a session can be seen on the bus.
  private struct Appearance {
    let state: String
    let operation: DropOperation?
    let itemCount: Int
    let byteCount: Int
    let allowsMove: Bool
    let isRestricted: Bool

    init(of session: borrowing DragSession) {
      state = session.state.name
      operation = session.operation
      itemCount = session.itemCount
      byteCount = session.byteCount
      allowsMove = session.allowsMove
      isRestricted = session.isRestrictedToApplication
    }
  }

  private func noteChanges(since before: Appearance) {
    service.sessions.countBytes(session.byteCount - before.byteCount)
    if session.state.name != before.state { note(DragSessionInterface.state) }
    if session.operation != before.operation { note(DragSessionInterface.operation) }
    if session.itemCount != before.itemCount { note(DragSessionInterface.itemCount) }
    if session.allowsMove != before.allowsMove { note(DragSessionInterface.allowsMove) }
    if session.isRestrictedToApplication != before.isRestricted {
      note(DragSessionInterface.restrictedToApplication)
    }
  }

  // MARK: Loading

  /// Whether something is awaited without which the session must not end for want of use.
  var isLoading: Bool { loads.isLoading || drop != nil }

  /// Counts bytes that a promise gave behind those that it had given.
  ///
  /// - Throws: LimitsExceeded; then none of these are counted.
  func countPromised(_ bytes: Int, behind received: Int) throws(DBusError) {
    lastUse = service.uptime
    let most = service.limits.maxRepresentationBytes
    guard received + bytes <= most else { throw .limit("max-representation-bytes", most) }
    try service.sessions.checkRoom(for: bytes, of: sandbox)
    do throws(DragError) {
      try change { session throws(DragError) in try session.countPromised(bytes) }
    } catch { throw error.answer(argument: "its data") }
  }

  /// Takes back what was counted of a promise that was not kept.
  func uncountPromised(_ bytes: Int) {
    lastUse = service.uptime
    // Fewer bytes meet no limit.
    try? change { session throws(DragError) in try session.countPromised(-bytes) }
  }

  /// Has everybody told, soon, how far the loading is.
  func noteLoading() {
    if case .ended = session.state { return }
    progressNotice.ask()
    drop?.notePending()
  }

  private func tellProgress() {
    guard let now = loads.progress, progress != now else { return }
    progress = now
    note(DragSessionInterface.progress)
  }

  /// Everything that the drop asked for is there.
  func didLoadAll() {
    progressNotice.stop()
    guard progress != 1 else { return }
    progress = 1
    note(DragSessionInterface.progress)
  }

  /// Goes back to how it was before a change that a failed batch has made.
  private func restore(_ earlier: DragSession, progress: Double) {
    let (state, before) = (session.state, Appearance(of: session))
    session = earlier
    self.progress = progress
    noteChanges(since: before)
    guard case .ended = state else { return }
    watchSource()
    if case .dropping(let drop) = earlier.state, let client = drop.client { watch(client) }
    board?.countDrags(1)
    service.sessions.hasRevived(self)
  }

  private func note<Value>(_ property: PropertyDeclaration<Value>) {
    service.server.noteChange(of: property, at: path)
  }

  // MARK: Checks

  /// Refuses what acts on a session that is being dropped or has ended.
  func checkActive() throws(DBusError) {
    do throws(DragError) { try session.requireActive() } catch { throw error.answer(argument: "") }
  }

  /// Refuses everybody but the application that drags.
  func checkSource(_ call: Call) throws(DBusError) {
    guard call.caller.counts(as: session.source) else {
      throw DBusError(
        .accessDenied, "only the source, \(application), may do that to the session \(path)")
    }
  }

  /// The contents that still lie in rows.
  var rowContents: [RowBytes] {
    session.items.flatMap { $0.representations.compactMap { $0.content as? RowBytes } }
  }
}
