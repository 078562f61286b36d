import BoardModel
import DBus
import DragModel
import DragboardInterface
import DragboardStore
import Files

/// A drag session on the bus.
///
/// It contains the model of the session and the progress of its loads.
final class SessionEntity: Entity {
  let path: ObjectPath
  /// The path of the board whose rows are dragged; "/" if the items are not rows.
  let sourceBoard: ObjectPath
  /// The source that a drop records for the inserted rows.
  var rowSource: String
  /// The sandbox of the client that drags; nil without a sandbox.
  let sandbox: String?
  /// The ids of the rows that are dragged.
  let sourceRows: [String]
  /// The uptime of the loop when the session began.
  let beginning: Duration
  /// The uptime of the loop at the latest call to the session.
  private(set) var lastUse: Duration
  private(set) var session: DragSession
  /// The progress of a drop, from 0 to 1.
  private(set) var progress = 0.0
  /// Called when bytes of a promise have arrived.
  var onLoading: ((Step) -> Void)?
  /// The watches of connections.
  ///
  /// If one of the connections leaves the bus, the session ends.
  var departures: [PeerWatch.Token?] = []
  private let limits: Limits
  private let budget: SessionBytes
  private let clock: () -> Duration
  /// The promises whose bytes were requested.
  private var asked: [PromisedContent] = []
  private let progressReport: Throttle

  init(
    _ number: UInt64, _ session: DragSession, of board: ObjectPath, by access: BoardAccess,
    limits: Limits, budget: SessionBytes, ids: ItemIDs, _ scheduler: Scheduler
  ) {
    path = Dragboard.sessionPath(number)
    (self.session, self.limits, self.budget) = (session, limits, budget)
    clock = { scheduler.uptime }
    beginning = scheduler.uptime
    lastUse = beginning
    sourceBoard = board
    sourceRows = session.origin?.rows.map(ids.id) ?? []
    rowSource = access.source(ofDragBy: session.source)
    sandbox = access.sandboxOfQuotas
    progressReport = Throttle(scheduler)
    budget.count(session.amount, of: sandbox)
  }

  /// The application that drags, in its form on the wire.
  var application: String { session.source.description }

  /// The operation in its form on the wire; "" before the first proposal.
  var operation: String { session.operation?.rawValue ?? "" }

  /// Whether the session has ended.
  var isOver: Bool {
    if case .ended = session.state { true } else { false }
  }

  override func noteUse(at time: Duration) { lastUse = time }

  // MARK: Changes

  /// Changes the session, and records which properties have changed.
  ///
  /// The session is copied only if a rollback may restore it, because a copy makes the addition of
  /// one item cost as much as a copy of all items.
  func change<Failure: Error>(
    in step: Step, _ body: (inout DragSession) throws(Failure) -> Void
  ) throws(Failure) {
    let before = Appearance(of: session)
    step.change(self) {
      let (session, progress) = (session, progress)
      return { [self] in restore(session, progress: progress) }
    }
    try body(&session)
    budget.count(session.amount - before.amount, of: sandbox)
    noteChanges(since: before, in: step)
  }

  private func restore(_ earlier: DragSession, progress: Double) {
    budget.count(earlier.amount - session.amount, of: sandbox)
    (session, self.progress) = (earlier, progress)
  }

  /// The parts of a session that clients can see.
  private struct Appearance {
    let state: String
    let operation: DropOperation?
    let itemCount: Int
    let amount: SessionBytes.Amount
    let allowsMove: Bool
    let isRestricted: Bool
    let machine: String

    init(of session: borrowing DragSession) {
      state = session.state.name
      operation = session.operation
      itemCount = session.itemCount
      amount = session.amount
      allowsMove = session.allowsMove
      isRestricted = session.isRestrictedToApplication
      machine = session.machine.text
    }
  }

  private func noteChanges(since before: Appearance, in step: Step) {
    if session.state.name != before.state { note(DragSessionInterface.state, in: step) }
    if session.operation != before.operation { note(DragSessionInterface.operation, in: step) }
    if session.itemCount != before.itemCount { note(DragSessionInterface.itemCount, in: step) }
    if session.allowsMove != before.allowsMove { note(DragSessionInterface.allowsMove, in: step) }
    if session.isRestrictedToApplication != before.isRestricted {
      note(DragSessionInterface.restrictedToApplication, in: step)
    }
    if session.machine.text != before.machine { note(DragSessionInterface.machine, in: step) }
  }

  private func note<Value>(_ property: PropertyDeclaration<Value>, in step: Step) {
    step.noteChange(of: property, at: path)
  }

  // MARK: Checks

  /// Refuses a session that is being dropped or has ended.
  func checkActive() throws(DBusError) {
    do throws(DragError) { try session.requireActive() } catch { throw error.answer(argument: "") }
  }

  /// Refuses all callers except the application that drags.
  func checkSource(_ command: Command) throws(DBusError) {
    guard command.caller.counts(as: session.source) else {
      throw DBusError(
        .accessDenied, "session: the caller is not the source of \(path) (\(application))")
    }
  }

  // MARK: Loading

  /// Whether bytes of a promise are being loaded.
  var isLoading: Bool { asked.contains(where: \.isLoading) }

  /// Loads the bytes of a promise of this session.
  ///
  /// Do not call it in a step that may be rolled back.
  ///
  /// - Parameters:
  ///   - promise: a promise that has not been loaded.
  ///   - client: the connection that requests the bytes; if it leaves the bus, the request is
  ///     cancelled. Nil if a drop on a board requests the bytes.
  ///   - then: receives the bytes or an error. The error is SessionEnded if the session ends first.
  /// - Returns: the request, which can be cancelled.
  @discardableResult
  func load(
    _ promise: PromisedContent, for client: String? = nil,
    then: @escaping PromisedContent.Continuation
  ) -> PromisedContent.Request {
    if !asked.contains(where: { $0 === promise }) { asked.append(promise) }
    return promise.load(of: self, for: client, then: then)
  }

  /// Lets the source of a promise write the bytes to the pipe of a client.
  ///
  /// Do not call it in a step that may be rolled back.
  func pass(
    _ promise: PromisedContent, to pipe: FileDescriptor, for client: String,
    then: @escaping (Step, Result<Void, DBusError>) -> Void
  ) {
    if !asked.contains(where: { $0 === promise }) { asked.append(promise) }
    promise.pass(of: self, to: pipe, for: client, then: then)
  }

  /// Removes a promise from the progress if all its requests were cancelled.
  func forgetUnlessWanted(_ promise: PromisedContent) {
    if !promise.isLoading, promise.bytes == nil { asked.removeAll { $0 === promise } }
  }

  /// Cancels all loads, because the session has ended.
  func cancelLoads(in step: Step) {
    let promises = asked
    asked = []
    progressReport.stop()
    for promise in promises { promise.end(in: step) }
  }

  /// Counts the next bytes of a promise; `received` is the number of earlier bytes.
  ///
  /// - Throws: LimitsExceeded if a limit would be exceeded. In this case none of these bytes are
  ///   counted.
  func countPromised(_ bytes: Int, after received: Int, in step: Step) throws(DBusError) {
    lastUse = clock()
    let max = limits.maxRepresentationBytes
    guard received + bytes <= max else { throw .limit("max-representation-bytes", max) }
    let memory = Self.promisedMemory(received + bytes) - Self.promisedMemory(received)
    let amount = SessionBytes.Amount(bytes: bytes, memory: memory)
    try budget.checkRoom(for: amount, of: sandbox)
    do throws(DragError) {
      try change(in: step) { session throws(DragError) in
        try session.countPromised(bytes, memory: memory)
      }
    } catch { throw error.answer(argument: "its data") }
  }

  /// Returns the part of a promise's bytes that is in memory.
  private static func promisedMemory(_ byteCount: Int) -> Int {
    Payload.memoryByteCount(of: byteCount)
  }

  /// Subtracts the counted bytes of a promise that has failed.
  func uncountPromised(_ bytes: Int, in step: Step) {
    lastUse = clock()
    // Subtracting cannot exceed a limit.
    try? change(in: step) { session throws(DragError) in
      try session.countPromised(-bytes, memory: -Self.promisedMemory(bytes))
    }
  }

  /// Schedules a report of the progress.
  func noteLoading(in step: Step) {
    guard !isOver else { return }
    progressReport.ask(in: step) { [weak self] in self?.reportProgress(in: $0) }
    onLoading?(step)
  }

  /// The progress of the requested promises, from 0 to 1; nil if none was requested.
  var loadedFraction: Double? {
    guard !asked.isEmpty else { return nil }
    var progress = LoadProgress()
    for promise in asked {
      if promise.isLoading {
        progress.add(received: promise.receivedByteCount, of: promise.expectedByteCount)
      } else {
        progress.addFinished(of: promise.expectedByteCount)
      }
    }
    return progress.fraction
  }

  private func reportProgress(in step: Step) {
    if let fraction = loadedFraction { setProgress(fraction, in: step) }
  }

  /// Reports that all requested promises are loaded.
  func didLoadAll(in step: Step) {
    progressReport.stop()
    setProgress(1, in: step)
  }

  private func setProgress(_ fraction: Double, in step: Step) {
    guard progress != fraction else { return }
    step.change(self) {
      let old = progress
      return { [self] in progress = old }
    }
    progress = fraction
    note(DragSessionInterface.progress, in: step)
  }

  /// The contents of this session that came from rows.
  var rowContents: [ReadyContent] {
    session.items.flatMap { item in
      item.representations.compactMap { $0.content as? ReadyContent }.filter { $0.row != nil }
    }
  }
}
