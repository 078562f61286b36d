import BoardModel
import DBus
import DragModel
import DragboardInterface
import DragboardStore

/// One drop on a board, with the copied items and the representations that have arrived.
///
/// A representation is *settled* when it has arrived or failed.
///
/// ```
/// gathering ──all items inspected, all representations settled──▶ storing ──▶ over
///     └─────────────── the session ends, the board is deleted ───────────────▶ over
/// ```
final class DropJob {
  /// A copied item with the states of its representations.
  struct Item {
    let plan: CopyPlan.Item
    fileprivate(set) var slots: [Slot]

    /// Whether a representation has arrived.
    var hasArrived: Bool { slots.contains { $0.ready != nil } }

    /// The representations that have arrived, in order of fidelity.
    var representations: [RowContent.Representation] { slots.compactMap(\.ready) }

    /// Whether all representations have failed.
    var hasFailed: Bool { slots.allSatisfy { $0.failure != nil } }
  }

  /// The state of one representation.
  enum Slot {
    /// The bytes must be requested from the source.
    case promised(PromisedContent)
    /// The bytes are available and must be stored.
    case available(Payload)
    /// The bytes are stored, so that a row can have them.
    case ready(RowContent.Representation)
    case failed(DBusError)

    fileprivate var ready: RowContent.Representation? {
      if case .ready(let representation) = self { representation } else { nil }
    }

    fileprivate var failure: DBusError? {
      if case .failed(let error) = self { error } else { nil }
    }

    fileprivate var isSettled: Bool { ready != nil || failure != nil }
  }

  /// The position of a representation: its item's index in ``items``, and its index in the item.
  private struct Place {
    let item: Int
    let slot: Int
  }

  /// The content of the signal DropPending.
  private struct Notice: Equatable {
    let count: Int
    let path: IndexPath
    let progress: Double
  }

  private enum Stage {
    /// Items are inspected, and representations are loaded.
    case gathering
    /// The contents are stored and the rows inserted.
    case storing
    case over
  }

  let session: SessionEntity
  let board: BoardEntity
  let proposal: DropProposal
  /// The client for which the rows are inserted, and its unique name.
  let inserter: Inserter
  let client: String
  let reply: Reply<String, [String]>
  /// The position of the rows.
  ///
  /// Other edits of the board adjust the position.
  let insertion: PendingInsertion
  /// The staging of the contents, if the drop has many rows.
  var staging: Staging?
  /// The items that have been inspected, in the order of the session.
  private(set) var items: [Item] = []
  /// The first disk error.
  ///
  /// It fails the whole drop, because a drop stores all arrived items or none.
  private(set) var diskError: DBusError?
  private let plan: CopyPlan
  private let scheduler: Scheduler
  private let contents: ContentDirectory
  private let report: Throttle
  private var lastNotice: Notice?
  private var stage = Stage.gathering
  /// The number of inspected representations that are not settled.
  private var unsettledCount = 0
  /// The requests to promises, of which some may be unanswered.
  private var requests: [PromisedContent.Request] = []
  /// Called once, when the drop can be stored.
  private var onArrival: (Step) -> Void = { _ in }

  init(
    _ proposal: DropProposal, of session: SessionEntity, on board: BoardEntity,
    by inserter: Inserter, for client: String, answering reply: Reply<String, [String]>,
    _ scheduler: Scheduler,
    _ contents: ContentDirectory
  ) {
    (self.proposal, self.session, self.board) = (proposal, session, board)
    (self.inserter, self.client) = (inserter, client)
    (self.reply, self.scheduler, self.contents) = (reply, scheduler, contents)
    insertion = PendingInsertion(at: proposal.destination)
    report = Throttle(scheduler)
    plan = CopyPlan(
      session.session, accepting: proposal.operation == .copy ? board.acceptedTypes : [])
    if !isLarge { inspect { true } }
  }

  // MARK: Items

  /// Whether the drop has so many items that they are inspected in several steps.
  private var isLarge: Bool { plan.items.count > Staging.maxAtOnce }

  /// Whether every representation is settled, and one step can store all of them; false for a large
  /// drop, which is inspected in steps.
  var isComplete: Bool {
    !isLarge && items.allSatisfy { $0.slots.allSatisfy(\.isSettled) } && !needsStaging
  }

  /// Whether the contents that have arrived are stored in several steps.
  var needsStaging: Bool {
    let arrived = arrived
    return arrived.count > Staging.maxAtOnce
      || arrived.reduce(0) { $0 + $1.representations.inlineByteCount } > Staging.maxBytesAtOnce
  }

  private var isInspected: Bool { items.count == plan.items.count }

  /// The indexes in the session of the copied items; for a move, of all items.
  var indexes: [Int] {
    proposal.operation == .copy ? plan.items.map(\.index) : Array(session.session.items.indices)
  }

  /// The items with at least one arrived representation.
  var arrived: [Item] {
    // Usually all items have arrived. In this case no array is allocated.
    items.allSatisfy(\.hasArrived) ? items : items.filter(\.hasArrived)
  }

  /// The errors of the representations that have failed.
  var failures: [DBusError] { items.flatMap { $0.slots.compactMap(\.failure) } }

  /// Inspects the next items as long as `hasTime` returns true.
  private func inspect(while hasTime: () -> Bool) {
    while !isInspected, hasTime() {
      let item = plan.items[items.count]
      items.append(Item(plan: item, slots: []))
      for representation in item.representations {
        items[items.count - 1].slots.append(slot(for: representation))
      }
    }
  }

  /// Returns the state of the next representation of the last item.
  private func slot(for representation: Representation) -> Slot {
    let item = items.count - 1
    if let promise = representation.content as? PromisedContent {
      return promise.bytes.map { slot(for: $0, as: representation.type, ofItem: item) }
        ?? .promised(promise)
    }
    guard let content = representation.content as? ReadyContent else {
      return .failed(.dragIsOver)
    }
    do throws(StoreError) {
      return slot(for: try content.bytes(), as: representation.type, ofItem: item)
    } catch { return failed(error.answer) }
  }

  private func slot(for bytes: Payload, as type: MIMEType, ofItem item: Int) -> Slot {
    guard let inline = bytes.inlineBytes, items[item].representations.haveRoom(for: inline.count)
    else { return .available(bytes) }
    return .ready(RowContent.Representation(type: type, data: inline))
  }

  private func failed(_ error: DBusError) -> Slot {
    if error.name == .ioError { diskError = diskError ?? error }
    return .failed(error)
  }

  // MARK: Loading

  /// Loads all representations, and then calls `onArrival` in a step that has changed nothing.
  ///
  /// If there are many items, they are inspected in several steps.
  func load(then onArrival: @escaping (Step) -> Void) {
    guard !isOver else { return }
    self.onArrival = onArrival
    guard !isInspected else { return scheduler.step { load(from: 0, in: $0) } }
    scheduler.repeatInSteps { [self] step in
      guard !isOver else { return false }
      let (first, end) = (items.count, ContinuousClock.now + Staging.stepTime)
      inspect { .now < end }
      load(from: first, in: step)
      return !isInspected
    }
  }

  /// Loads the representations of the items whose index is `first` or more.
  private func load(from first: Int, in step: Step) {
    for item in first..<items.count {
      for (slot, state) in items[item].slots.enumerated() where !state.isSettled {
        unsettledCount += 1
        load(state, at: Place(item: item, slot: slot))
      }
    }
    beginStoring(in: step)
  }

  private func load(_ slot: Slot, at place: Place) {
    switch slot {
    case .promised(let promise):
      requests.append(
        session.load(promise) { [self] step, result in loaded(result, at: place, in: step) })
    case .available(let bytes): store(bytes, at: place)
    case .ready, .failed: break
    }
  }

  /// Handles a promised representation that has arrived or failed.
  private func loaded(_ result: Result<Payload, DBusError>, at place: Place, in step: Step) {
    switch result {
    case .success(let bytes):
      let slot = slot(for: bytes, as: type(at: place), ofItem: place.item)
      if case .available(let bytes) = slot {
        store(bytes, at: place)
      } else {
        settle(slot, at: place, in: step)
      }
    case .failure(let error): settle(failed(error), at: place, in: step)
    }
  }

  /// Writes the bytes of a representation, which are many or have no room in the database, to a
  /// content file on another thread, so that a row can have them.
  private func store(_ bytes: Payload, at place: Place) {
    let type = type(at: place)
    scheduler.work { [contents] in
      Result { () throws(StoreError) in
        let ready = try RowContent.Representation(preparing: bytes, type, in: contents)
        return try bytes.inlineBytes == nil ? ready : ready.inFile(of: contents)
      }
    } then: { [self] step, result in
      switch result {
      case .success(let representation): settle(.ready(representation), at: place, in: step)
      case .failure(let error): settle(failed(error.answer), at: place, in: step)
      }
    }
  }

  private func type(at place: Place) -> MIMEType {
    items[place.item].plan.representations[place.slot].type
  }

  private func settle(_ slot: Slot, at place: Place, in step: Step) {
    items[place.item].slots[place.slot] = slot
    unsettledCount -= 1
    // One step cannot do both: a report of progress belongs to an independent step, and the
    // insertion of rows to an uncommitted step.
    if !beginStoring(in: step) { session.noteLoading(in: step) }
  }

  /// Calls `onArrival` if all items are inspected and all representations are settled.
  @discardableResult
  private func beginStoring(in step: Step) -> Bool {
    guard stage == .gathering, unsettledCount == 0, isInspected else { return false }
    stage = .storing
    onArrival(step)
    return true
  }

  // MARK: The end

  var isOver: Bool { stage == .over }

  /// Ends the drop, even if representations are missing.
  ///
  /// - Returns: false if the drop has ended before.
  func end(in step: Step) -> Bool {
    guard !isOver else { return false }
    let (stage, lastNotice) = (stage, lastNotice)
    step.onRollback { [self] in (self.stage, self.lastNotice) = (stage, lastNotice) }
    self.stage = .over
    return true
  }

  /// Stops the reports, the staging and the requests, after the drop has ended.
  func release() {
    report.stop()
    staging?.stop()
    staging = nil
    scheduler.step { step in
      for request in requests { request.cancel(in: step) }
      requests = []
    }
  }

  // MARK: Reports

  func reportSoon(in step: Step) {
    guard !isOver else { return }
    report.ask(in: step) { [weak self] in self?.reportPending(in: $0) }
  }

  /// Reports how many items of the drop have arrived, and the position of its rows.
  func reportPending(in step: Step) {
    let expectedCount = plan.items.count - items.count(where: \.hasFailed)
    let notice = Notice(
      count: isOver ? 0 : expectedCount, path: insertion.path,
      progress: isOver ? 1 : session.loadedFraction ?? 0)
    // A count of zero means the end of the wait. So if all items have failed, only the end is
    // reported.
    guard notice != lastNotice, isOver || notice.count > 0 else { return }
    step.onRollback { [self, lastNotice] in self.lastNotice = lastNotice }
    lastNotice = notice
    step.emit(
      DropTargetInterface.dropPending, from: board.path, session.path,
      UInt32(notice.count), UInt32(notice.path.section), UInt32(notice.path.row),
      notice.progress)
  }
}
