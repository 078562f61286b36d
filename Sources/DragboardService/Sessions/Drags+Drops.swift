import BoardModel
import DBus
import DragModel
import DragboardInterface
import DragboardStore

/// Drops on boards.
///
/// If all contents are available, a drop ends within its call, in one transaction. Otherwise the
/// drop waits until all items have arrived or failed. The contents of many rows are also stored
/// before the insertion. Then all rows are inserted in one transaction.
extension Drags {
  /// Performs a proposal now or, if it copies promised items, after all of them have arrived or
  /// failed.
  ///
  /// - Throws: SessionEnded; IOError. In both cases the board and the session are unchanged.
  func perform(
    _ proposal: DropProposal, of session: SessionEntity, on board: BoardEntity,
    by inserter: Inserter, for client: String, answering reply: Reply<String, [String]>,
    in step: Step
  ) throws(DBusError) {
    let job = DropJob(
      proposal, of: session, on: board, by: inserter, for: client, answering: reply, scheduler,
      promises.contents)
    if job.isComplete, proposal.operation == .copy || proposal.operation == .move {
      if proposal.operation == .copy { try chargeStorage(for: job) }
      step.open()
    }
    switch try begin(job, in: step) {
    case .conclude(let conclusion)?:
      conclude(session, conclusion, in: step)
      reply.send(proposal.operation.rawValue, [])
    case .forbid?: reply.send(proposal.operation.rawValue, [])
    case .perform?:
      step.emit(DragSessionInterface.willEnd, from: session.path, proposal.operation.rawValue)
      guard job.isComplete else { return wait(for: job, in: step) }
      if proposal.operation == .copy { return try insertArrived(of: job, in: step) }
      let (rows, indexes) = (session.session.items.compactMap(\.row), job.indexes)
      try move(rows, job, in: step)
      conclude(job, rows: rows, loaded: indexes, in: step)
    case nil: break
    }
  }

  private func begin(_ job: DropJob, in step: Step) throws(DBusError) -> DropStart? {
    step.read(sessions)
    let asked = job.indexes
    var start: DropStart?
    do throws(DragError) {
      try job.session.change(in: step) { session throws(DragError) in
        start = try session.beginDrop(job.proposal, asking: asked)
      }
    } catch { throw error.answer(argument: "session") }
    return start
  }

  /// Moves rows within their board.
  ///
  /// Their ids do not change, and no content is loaded.
  private func move(_ rows: [RowID], _ job: DropJob, in step: Step) throws(DBusError) {
    let destination = job.proposal.destination
    try job.board.edit(in: step, by: job.inserter.sandboxOfRows) { model throws(BoardError) in
      try model.move(rows, toSection: destination.section, row: destination.row)
    }
  }

  // MARK: Waiting

  private func wait(for job: DropJob, in step: Step) {
    job.insertion.onMove = { [weak job] in job?.reportSoon(in: $0) }
    job.insertion.onBoardDeleted = { [weak self, weak job] step in
      if let job { self?.failForDeletedBoard(job, in: step) }
    }
    job.session.onLoading = { [weak job] in job?.reportSoon(in: $0) }
    enter(job)
    step.onRollback { [self] in remove(job) }
    job.reportSoon(in: step)
    step.afterCommit(answering: job.reply) { [self] in
      job.load { [self, unowned job] in store(job, in: $0) }
    }
  }

  private func enter(_ job: DropJob) {
    jobs[job.session.path.text] = job
    job.board.add(job.insertion)
  }

  private func remove(_ job: DropJob) {
    jobs[job.session.path.text] = nil
    job.board.remove(job.insertion)
  }

  // MARK: Storing

  /// Inserts the items that have arrived.
  ///
  /// The contents of many rows are staged first.
  private func store(_ job: DropJob, in step: Step) {
    let arrived = job.arrived
    do throws(DBusError) { try chargeStorage(for: job) } catch {
      return fail(job, error, in: step)
    }
    guard job.needsStaging, job.diskError == nil else {
      return finish(job, in: step) { () throws(DBusError) in try insertArrived(of: job, in: step) }
    }
    job.staging = Staging(of: arrived.count, purge) { [self] in
      insertions.longCalls.repeatInTurns(of: job.client, $0)
    } content: { [self] index in
      content(of: arrived[index], job)
    } onEnd: { [self] step, stage in
      finish(job, in: step) { () throws(DBusError) in
        try insert(.staged(try stage.get()), of: job, in: step)
      }
    }
  }

  /// Charges the arrived bytes to the storage limit of the source's sandbox.
  ///
  /// - Throws: LimitsExceeded if the limit would be exceeded.
  private func chargeStorage(for job: DropJob) throws(DBusError) {
    guard let sandbox = job.session.sandbox else { return }
    let arrived = job.arrived
    let bytes = arrived.reduce(0) { $1.representations.reduce($0) { $0 + $1.bytes.byteCount } }
    let storage = insertions.storage
    try storage.charge(bytes, rows: arrived.count, to: sandbox, argument: "session")
    storage.settle(bytes, rows: arrived.count, of: sandbox)
  }

  private func finish(
    _ job: DropJob, in step: Step, inserting insert: () throws(DBusError) -> Void
  ) {
    guard !job.isOver else { return }
    do throws(DBusError) {
      try step.readBack()
      guard !job.board.isDeleted else { return failForDeletedBoard(job, in: step) }
      step.open()
      try insert()
    } catch { fail(job, error, in: step) }
  }

  private func insertArrived(of job: DropJob, in step: Step) throws(DBusError) {
    let arrived = job.arrived
    // If the source cannot provide an item, the item is skipped. If the disk cannot store an item,
    // the whole drop fails, because the item would be lost.
    if let diskError = job.diskError { return fail(job, diskError, in: step) }
    guard !arrived.isEmpty else { return fail(job, .nothingArrived(job.failures), in: step) }
    try insert(.prepared(arrived.map { content(of: $0, job) }), of: job, in: step)
  }

  private func insert(
    _ contents: NewContents, of job: DropJob, in step: Step
  ) throws(DBusError) {
    // The insertion of these rows must not move the position that was reserved for them.
    job.board.remove(job.insertion)
    let rows = try insertions.insert(
      contents, at: job.insertion.path, on: job.board, by: job.inserter, in: step)
    conclude(job, rows: rows, loaded: job.arrived.map(\.plan.index), in: step)
  }

  /// Returns the content of the row for an item.
  private func content(of item: DropJob.Item, _ job: DropJob) -> RowContent {
    let origin = RowOrigin(
      created: insertions.now(), source: job.session.rowSource,
      sandbox: job.inserter.sandboxOfRows)
    let content = RowContent(
      origin: origin, attributes: item.plan.attributes, representations: item.representations)
    return job.board.header.movesDuplicates ? content.digested : content
  }

  // MARK: The end

  private func conclude(_ job: DropJob, rows: [RowID], loaded: [Int], in step: Step) {
    leave(job, in: step)
    job.session.didLoadAll(in: step)
    end(job.session, in: step) { $0.endDrop(loaded: loaded) }
    let ids = rows.map(job.board.ids.id)
    let operation = job.proposal.operation.rawValue
    step.emit(
      DropTargetInterface.dropPerformed, from: job.board.path, job.session.path, operation, ids)
    job.reply.send(operation, ids)
  }

  private func failForDeletedBoard(_ job: DropJob, in step: Step) {
    let name = job.board.header.name.quoted
    fail(job, DBusError(.noSuchBoard, "board: \(name) was deleted during the drop"), in: step)
  }

  /// Ends a drop without inserting rows.
  private func fail(_ job: DropJob, _ error: DBusError, in step: Step) {
    guard !job.isOver else { return }
    leave(job, in: step)
    end(job.session, in: step) { $0.endDrop(loaded: []) }
    job.reply.refuse(error)
  }

  /// Ends the wait of a drop.
  ///
  /// After a rollback, the drop does not wait again. It fails, because its caller has already
  /// received IOError.
  func leave(_ job: DropJob, in step: Step) {
    guard job.end(in: step), jobs[job.session.path.text] === job else { return }
    remove(job)
    step.onRollback { [self] in enter(job) }
    job.reportPending(in: step)
    step.afterCommit(job.release) { [self] in
      scheduler.step { fail(job, .rolledBack, in: $0) }
    }
  }
}

extension DBusError {
  /// The maximum number of reasons in the error message.
  private static let maxReasons = 8

  /// The error for a drop without any arrived item.
  fileprivate static func nothingArrived(_ failures: [DBusError]) -> DBusError {
    let reasons = failures.prefix(maxReasons).map(\.message).joined(separator: "; ")
    let rest = failures.count > maxReasons ? "; …" : ""
    return DBusError(
      .loadFailed, "session: nothing was inserted, because no item arrived: \(reasons)\(rest)")
  }
}
