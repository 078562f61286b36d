import BoardModel
import DBus
import DragModel
import DragboardInterface

/// A drag session on the bus: the pure session, and the progress of its loads.
final class SessionEntity: Entity {
  let path: ObjectPath
  /// The path of the rows' board; "/" if the items are not rows.
  let sourceBoard: ObjectPath
  /// The board whose rows are dragged.
  weak var board: BoardEntity?
  /// The source of the rows that a drop inserts.
  let rowSource: String
  /// The sandbox of the client that drags; nil without a sandbox.
  let sandbox: String?
  /// The ids of the rows that are dragged.
  let sourceRows: [String]
  /// The time at which the session began, in the loop's running time.
  let beginning: Duration
  /// The time of the latest call to the session, in the loop's running time.
  private(set) var lastUse: Duration
  private(set) var session: DragSession
  /// The progress of a drop, from 0 to 1.
  private(set) var progress = 0.0
  /// Called when something has been loaded.
  var onLoading: ((Step) -> Void)?
  /// The registrations for the connections without which the session ends.
  var departures: [PeerWatch.Token?] = []
  private let limits: Limits
  private let budget: SessionBytes
  private let clock: () -> Duration
  /// The promises that were asked for their bytes.
  private var asked: [Promise] = []
  private let progressReport: Throttle

  init(
    _ number: UInt64, _ session: DragSession, of board: BoardEntity?, by access: BoardAccess,
    limits: Limits, budget: SessionBytes, ids: ItemIDs, _ scheduler: Scheduler
  ) {
    path = Dragboard.sessionPath(number)
    (self.session, self.board, self.limits, self.budget) = (session, board, limits, budget)
    clock = { scheduler.uptime }
    beginning = scheduler.uptime
    lastUse = beginning
    sourceBoard = board?.path ?? "/"
    sourceRows = session.origin?.rows.map(ids.id) ?? []
    rowSource = access.source(ofDragBy: session.source)
    sandbox = access.sandboxOfQuotas
    progressReport = Throttle(scheduler)
    budget.count(session.byteCount, of: sandbox)
  }

  /// The application that drags, as on the wire.
  var application: String { session.source.description }

  /// The operation, as on the wire; "" before the first proposal.
  var operation: String { session.operation?.rawValue ?? "" }

  /// Whether the session has ended.
  var isOver: Bool {
    if case .ended = session.state { true } else { false }
  }

  override func noteUse(at time: Duration) { lastUse = time }

  // MARK: Changes

  /// Changes the session, and records the properties that differ.
  ///
  /// The session is copied only if a rollback may restore it: with a copy, the next item costs as
  /// much as all items.
  func change<Failure: Error>(
    in step: Step, _ body: (inout DragSession) throws(Failure) -> Void
  ) throws(Failure) {
    let before = Appearance(of: session)
    step.change(self) {
      let (session, progress) = (session, progress)
      return { [self] in restore(session, progress: progress) }
    }
    try body(&session)
    budget.count(session.byteCount - before.byteCount, of: sandbox)
    noteChanges(since: before, in: step)
  }

  private func restore(_ earlier: DragSession, progress: Double) {
    budget.count(earlier.byteCount - session.byteCount, of: sandbox)
    (session, self.progress) = (earlier, progress)
  }

  /// The parts of a session that clients can see.
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

  private func noteChanges(since before: Appearance, in step: Step) {
    if session.state.name != before.state { note(DragSessionInterface.state, in: step) }
    if session.operation != before.operation { note(DragSessionInterface.operation, in: step) }
    if session.itemCount != before.itemCount { note(DragSessionInterface.itemCount, in: step) }
    if session.allowsMove != before.allowsMove { note(DragSessionInterface.allowsMove, in: step) }
    if session.isRestrictedToApplication != before.isRestricted {
      note(DragSessionInterface.restrictedToApplication, in: step)
    }
  }

  private func note<Value>(_ property: PropertyDeclaration<Value>, in step: Step) {
    step.noteChange(of: property, at: path)
  }

  // MARK: Checks

  /// Refuses a session that is being dropped or has ended.
  func checkActive() throws(DBusError) {
    do throws(DragError) { try session.requireActive() } catch { throw error.answer(argument: "") }
  }

  /// Refuses all callers but the application that drags.
  func checkSource(_ command: Command) throws(DBusError) {
    guard command.caller.counts(as: session.source) else {
      throw DBusError(
        .accessDenied, "session: the caller is not the source of \(path) (\(application))")
    }
  }

  // MARK: Loading

  /// Whether bytes of a promise are being loaded.
  var isLoading: Bool { asked.contains(where: \.isLoading) }

  /// Loads the bytes of a promise of this session; not in a step that may be rolled back.
  ///
  /// - Parameters:
  ///   - promise: the promise, which has no bytes yet.
  ///   - client: the connection that asks; if it leaves, the load is cancelled. Nil for a board.
  ///   - then: gets the bytes; or SessionEnded, if the session ends before.
  /// - Returns: the request, which can be cancelled.
  @discardableResult
  func load(
    _ promise: Promise, for client: String? = nil, then: @escaping Promise.Continuation
  ) -> Promise.Request {
    if !asked.contains(where: { $0 === promise }) { asked.append(promise) }
    return promise.load(of: self, for: client, then: then)
  }

  /// Forgets a promise whose requests were all cancelled: it does not count as progress.
  func forgetUnlessWanted(_ promise: Promise) {
    if !promise.isLoading, promise.bytes == nil { asked.removeAll { $0 === promise } }
  }

  /// Cancels all loads: the session has ended.
  func cancelLoads(in step: Step) {
    let promises = asked
    asked = []
    progressReport.stop()
    for promise in promises { promise.end(in: step) }
  }

  /// Counts bytes that a promise provided after the first `received` bytes.
  ///
  /// - Throws: LimitsExceeded; then none of these bytes are counted.
  func countPromised(_ bytes: Int, after received: Int, in step: Step) throws(DBusError) {
    lastUse = clock()
    let max = limits.maxRepresentationBytes
    guard received + bytes <= max else { throw .limit("max-representation-bytes", max) }
    try budget.checkRoom(for: bytes, of: sandbox)
    do throws(DragError) {
      try change(in: step) { session throws(DragError) in try session.countPromised(bytes) }
    } catch { throw error.answer(argument: "its data") }
  }

  /// Subtracts the bytes of a promise that failed.
  func uncountPromised(_ bytes: Int, in step: Step) {
    lastUse = clock()
    // Subtracting cannot exceed a limit.
    try? change(in: step) { session throws(DragError) in try session.countPromised(-bytes) }
  }

  /// Reports the progress soon.
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

  /// The contents that are still stored as contents of rows.
  var rowContents: [ReadyContent] {
    session.items.flatMap { item in
      item.representations.compactMap { $0.content as? ReadyContent }.filter { $0.row != nil }
    }
  }
}
