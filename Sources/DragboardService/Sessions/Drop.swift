import BoardModel
import DBus
import DragModel
import DragboardInterface

/// One drop of a session on a board, by a proposal that has just been made.
///
/// Where nothing has to be waited for it is over within the call, in one batch: either all of it is durable, or none of it has been.
/// Otherwise, and where it is many items, the session is being dropped until everything has arrived or failed and what many rows hold is
/// stored; inserting them is a batch of its own.
final class Drop {
  private let session: SessionObject
  private let board: BoardObject
  private let proposal: DropProposal
  private let reply: Reply<String, [String]>
  private let service: Service
  private let gathering: Gathering
  private let place: PendingInsertion
  private var staging: Staging?
  private lazy var pendingNotice = Throttle(service) { [weak self] in self?.tellPending() }
  /// What DropPending says.
  private struct Notice: Equatable {
    let count: Int
    let path: IndexPath
    let progress: Double
  }
  private var lastNotice: Notice?
  private var isWaiting = false
  /// The session has ended, by this drop or without it.
  private var isOver = false

  init(
    of session: SessionObject, on board: BoardObject, _ proposal: DropProposal,
    answering reply: Reply<String, [String]>
  ) {
    self.session = session
    self.board = board
    self.proposal = proposal
    self.reply = reply
    service = board.service
    let isCopy = proposal.operation == .copy
    let plan = CopyPlan(session.session, accepting: isCopy ? board.acceptedTypes : [])
    gathering = Gathering(plan, of: session)
    place = PendingInsertion(at: proposal.destination)
  }

  /// Does what the proposal says, now or when everything that it takes has been loaded.
  ///
  /// - Throws: IOError; then board and session are as they were.
  func perform() throws(DBusError) {
    let waits = !gathering.isComplete
    let isCopy = proposal.operation == .copy
    let items = session.session.items
    let asked = isCopy ? gathering.indexes : Array(items.indices)
    if !waits {
      if isCopy { try chargeStorage() }
      service.batch.open()
    }
    switch try begin(asking: asked) {
    case .conclude(let conclusion)?:
      session.tell(conclusion)
      reply.send(proposal.operation.rawValue, [])
    case .perform?:
      session.emit(DragSessionInterface.willEnd, proposal.operation.rawValue)
      if waits { return wait() }
      service.batch.enlist(board)
      if isCopy { return try insert() }
      conclude(try move(items.compactMap(\.row)), loaded: asked)
    case nil: break
    }
  }

  private func begin(asking items: [Int]) throws(DBusError) -> DropStart? {
    var start: DropStart?
    do throws(DragError) {
      try session.change { session throws(DragError) in
        start = try session.beginDrop(proposal, asking: items)
      }
    } catch { throw error.answer(argument: "session") }
    return start
  }

  // MARK: Waiting

  private func wait() {
    stay()
    place.onMove = { [weak self] in self?.notePending() }
    place.onBoardGone = { [weak self] in self?.boardIsGone() }
    if service.batch.isProvisional {
      service.batch.onFailure { [self] in
        leave()
        service.schedule(after: .zero) { [self] in reply.refuse(.takenBack) }
      }
    }
    gathering.start { [self] in finish() }
    notePending()
  }

  private func stay() {
    (isWaiting, isOver) = (true, false)
    session.drop = self
    board.keep(place)
  }

  /// What is told of it is told; where the batch in hand fails that is taken back, and then it has failed.
  private func leave() {
    isOver = true
    guard isWaiting else { return }
    isWaiting = false
    session.drop = nil
    gathering.stop()
    staging?.stop()
    staging = nil
    pendingNotice.stop()
    board.giveUp(place)
    let earlier = lastNotice
    tellPending()
    guard service.batch.isProvisional else { return }
    service.batch.onFailure { [self] in
      lastNotice = earlier
      stay()
      service.schedule(after: .zero) { [self] in fail(.takenBack) }
    }
  }

  /// Tells how far it is and where it goes, now or soon.
  func notePending() {
    guard !isOver else { return }
    pendingNotice.ask()
  }

  private func tellPending() {
    let notice = Notice(
      count: isOver ? 0 : gathering.count, path: place.path,
      progress: isOver ? 1 : session.loads.progress ?? 0)
    // No rows are told of when that is the end: it follows where all have failed.
    guard notice != lastNotice, isOver || notice.count > 0 else { return }
    lastNotice = notice
    service.batch.emit(
      DropTargetInterface.dropPending, from: board.path, session.path, UInt32(notice.count),
      UInt32(notice.path.section), UInt32(notice.path.row), notice.progress)
  }

  /// Everything has arrived or failed.
  private func finish() {
    let arrived = gathering.arrived
    do throws(DBusError) { try chargeStorage() } catch { return fail(error) }
    guard !isOver, arrived.count > Staging.mostAtOnce, gathering.refusal == nil else {
      return finish { [self] () throws(DBusError) in try insert() }
    }
    staging = Staging(of: arrived.count, in: service) { [self] in
      content(of: arrived[$0])
    } onEnd: {
      [self] stage in
      finish { [self] () throws(DBusError) in try insert(try stage.get(), holding: arrived) }
      // If the board has not taken the rows after all, they go.
      service.purgeLater()
    }
  }

  private func finish(inserting insert: () throws(DBusError) -> Void) {
    guard !isOver else { return }
    do throws(DBusError) {
      try service.batch.restore()
      guard service.boards.find(board.id) === board else { return boardIsGone() }
      service.batch.open()
      try insert()
    } catch { fail(error) }
  }

  private func boardIsGone() {
    fail(DBusError(.noSuchBoard, "the board \(board.header.name.quoted) has been deleted"))
  }

  /// Breaks it off: nothing has been inserted.
  private func fail(_ error: DBusError) {
    guard !isOver else { return }
    leave()
    var conclusion: DragConclusion?
    session.change { conclusion = $0.endDrop(loaded: []) }
    if let conclusion { session.tell(conclusion) }
    reply.refuse(error)
  }

  /// The session is about to end, by its source, for want of time, or with the daemon: nothing is on its way any more.
  func stopWaiting() { if !isOver { leave() } }

  /// It has ended so.
  func answerCancelled() { reply.send(DropOperation.cancel.rawValue, []) }

  // MARK: Doing

  /// The move-row path: ids stay, nothing is loaded.
  private func move(_ rows: [RowID]) throws(DBusError) -> [RowID] {
    try board.edit { model throws(BoardError) in
      try model.move(
        rows, toSection: proposal.destination.section, row: proposal.destination.row)
    }
    return rows
  }

  /// Counts what has arrived as the source's.
  ///
  /// - Throws: LimitsExceeded if the rows of the source's sandbox hold too much.
  private func chargeStorage() throws(DBusError) {
    guard let sandbox = session.sandbox else { return }
    let arrived = gathering.arrived
    let bytes = arrived.reduce(0) { $1.representations.reduce($0) { $0 + $1.bytes.byteCount } }
    let storage = service.sandboxStorage
    try storage.charge(bytes, rows: arrived.count, to: sandbox, argument: "session")
    storage.settle(bytes, rows: arrived.count, of: sandbox)
  }

  /// Inserts what has arrived.
  private func insert() throws(DBusError) {
    let arrived = gathering.arrived
    // What its source cannot give is left out; what the disk does not take would be lost.
    if let refusal = gathering.refusal { return fail(refusal) }
    guard !arrived.isEmpty else { return fail(.nothingArrived(gathering.items)) }
    // What is inserted there now is what the place was kept for.
    board.giveUp(place)
    let rows = try board.insert(arrived.map(content), at: place.path)
    leave()
    conclude(rows, loaded: arrived.map(\.plan.index))
  }

  /// Inserts rows that have been stored.
  private func insert(_ stage: any RowStage, holding items: [Gathering.Item]) throws(DBusError) {
    board.giveUp(place)
    let rows = try board.insert(stage, at: place.path)
    leave()
    conclude(rows, loaded: items.map(\.plan.index))
  }

  /// What an item becomes as a row.
  private func content(of item: Gathering.Item) -> RowContent {
    let representations = item.representations
    return RowContent(
      created: service.now(), source: session.rowSource, name: item.plan.suggestedName.text,
      preview: representations.lazy.map(\.preview).first { !$0.isEmpty } ?? "",
      representations: representations)
  }

  private func conclude(_ rows: [RowID], loaded: [Int]) {
    session.didLoadAll()
    var conclusion: DragConclusion?
    session.change { conclusion = $0.endDrop(loaded: loaded) }
    if let conclusion { session.tell(conclusion) }
    let ids = rows.map(service.ids.id)
    service.batch.emit(
      DropTargetInterface.dropPerformed, from: board.path, session.path,
      proposal.operation.rawValue, ids)
    reply.send(proposal.operation.rawValue, ids)
  }
}

extension DBusError {
  /// Of how many items the error tells the reasons.
  private static let mostReasons = 8

  /// Nothing of what a drop asked for is there.
  fileprivate static func nothingArrived(_ items: [Gathering.Item]) -> DBusError {
    let reasons = items.flatMap(\.reasons).map(\.message)
    let told = reasons.prefix(mostReasons).joined(separator: "; ")
    return DBusError(
      .loadFailed,
      "nothing was inserted, for nothing arrived: \(told)\(reasons.count > mostReasons ? "; …" : "")"
    )
  }
}
