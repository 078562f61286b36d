internal import BoardModel
internal import DragModel

/// Plays any series of events of a session.
///
/// The session ends once, its states only advance, its limits hold, and a refused event changes
/// nothing. A promise is kept or fails, once.
func fuzzSession(_ bytes: UnsafeRawBufferPointer) {
  var events = Events(bytes)
  var player = SessionPlayer(&events)
  while !events.isAtEnd { player.play(&events) }
  player.end()
  playPromise(bytes)
}

/// A session that receives the events, and its reports.
private struct SessionPlayer {
  private static let limits = SessionLimits(
    maxItems: 5, maxRepresentationBytes: 40, maxSessionBytes: 100)
  private static let types = ["text/plain", "text/html", "image/png", "UTF8_STRING", "a/b;c=d"]
    .compactMap { try? MIMEType(parsing: $0) }
  private static let ids = ["org.example.Notes", "org.example.Mail", "notes"]
    .compactMap { try? ApplicationID($0) }

  private var session: DragSession
  /// The number of times that the session has ended.
  private var conclusions = 0
  private var hasToldWillEnd = false
  /// The counted bytes of promises.
  private var promised = 0

  init(_ events: inout Events) {
    session = DragSession(
      source: Self.application(&events),
      origin: DragOrigin(board: BoardKey(1), rows: (0..<events.next(3)).map { RowID(UInt64($0)) }),
      limits: Self.limits)
  }

  mutating func play(_ events: inout Events) {
    let before = session
    var conclusion: DragConclusion?
    switch events.next(24) {
    case let kind where kind < 12:
      if !change(kind, &events) { checkSame(as: before) }
    case 12: conclusion = drop(&events)
    case 13: accept(&events)
    case 14: conclusion = session.endDrop(loaded: items(&events))
    case 15: conclusion = finish(&events)
    case 16: conclusion = try? session.cancel()
    case 17: conclusion = leave(&events)
    case 18: conclusion = events.next(4) == 0 ? session.timeOut() : nil
    case 19...20: conclusion = note(&events)
    default:
      ask(&events)
      checkSame(as: before)
    }
    check(conclusion, after: before)
  }

  /// Checks the invariants after any series of events.
  mutating func end() {
    let before = session
    check(session.shutDown(), after: before)
    precondition(conclusions == 1, "it has ended \(conclusions) times")
  }

  /// Performs a change; returns whether it was accepted.
  private mutating func change(_ kind: Int, _ events: inout Events) -> Bool {
    do throws(DragError) {
      switch kind {
      case 0...2: try session.add((0..<events.next(4)).map { _ in item(&events) })
      case 3...4: try session.register(representation(&events), item: events.next(6))
      case 5: try session.reserve(type(&events), item: events.next(6))
      case 6: try session.fulfil(representation(&events), item: events.next(6))
      case 7: session.release(type(&events), item: events.next(6))
      case 8: try session.setAllowsMove(events.next(2) == 0)
      case 9: try session.setRestrictedToApplication(events.next(2) == 0)
      case 10: try session.didPropose(proposal(&events))
      default: try count(&events)
      }
      return true
    } catch {
      precondition(!error.description.isEmpty)
      return false
    }
  }

  /// Counts bytes of a promise, or removes some of the counted bytes.
  private mutating func count(_ events: inout Events) throws(DragError) {
    let bytes = events.next(2) == 0 ? events.next(120) : -events.next(promised + 1)
    try session.countPromised(bytes)
    if case .ended = session.state { return }
    promised += bytes
  }

  private mutating func drop(_ events: inout Events) -> DragConclusion? {
    let proposal = proposal(&events)
    switch try? session.beginDrop(proposal, asking: items(&events)) {
    case .perform(let performed):
      precondition(performed == proposal && [.copy, .move].contains(proposal.operation))
      reportWillEnd()
      return nil
    case .conclude(let conclusion):
      precondition(proposal.operation == .cancel)
      return conclusion
    case .forbid:
      precondition(proposal.operation == .forbidden && session.state.name == "active")
      return nil
    case nil: return nil
    }
  }

  private mutating func accept(_ events: inout Events) {
    let client = Self.application(&events)
    let wanted: DropOperation = events.next(2) == 0 ? .copy : .move
    let isOurs = client == session.source
    guard let granted = try? session.accept(wanted, by: client) else { return }
    precondition((granted == .forbidden) == (!isOurs && session.isRestrictedToApplication))
    guard granted != .forbidden else { return precondition(session.state.name == "active") }
    precondition(granted == (isOurs && session.allowsMove ? wanted : .copy))
    reportWillEnd()
  }

  private mutating func reportWillEnd() {
    precondition(!hasToldWillEnd, "of two drops both have won")
    hasToldWillEnd = true
  }

  private mutating func finish(_ events: inout Events) -> DragConclusion? {
    let caller = Self.caller(&events)
    guard case .dropping(let drop) = session.state, let client = drop.client,
      caller.counts(as: client)
    else {
      precondition((try? session.finish(by: caller)) == nil, "finished by somebody else")
      return nil
    }
    return try? session.finish(by: caller)
  }

  private mutating func leave(_ events: inout Events) -> DragConclusion? {
    let name = Self.name(&events)
    let leaver = Application.uniqueName(name)
    let isWaitedFor =
      switch session.state {
      case .active: session.source == leaver
      case .dropping(let drop): drop.client == leaver
      case .ended: false
      }
    let conclusion = session.connectionLeft(name)
    precondition((conclusion != nil) == isWaitedFor, "\(name) has left")
    return conclusion
  }

  private mutating func note(_ events: inout Events) -> DragConclusion? {
    let (item, caller) = (events.next(5), Self.caller(&events))
    if item < session.items.count {
      if events.next(2) == 0 {
        session.ask(item, by: caller)
      } else {
        session.didLoad(item, by: caller)
      }
    }
    return nil
  }

  /// Calls the functions that are allowed at any time and change nothing.
  private func ask(_ events: inout Events) {
    let (caller, item) = (Self.caller(&events), events.next(6))
    let reach = session.reach(of: caller)
    let query = TypeQuery(type(&events))
    let found = try? session.representation(of: item, matching: query, for: caller)
    if let found {
      precondition(query.matches(found.type), "\(found.type) does not conform")
      precondition(found.visibility.map { $0 >= reach } ?? false, "\(found.type) is not visible")
      precondition((try? session.canLoad(query, within: reach)) == true)
    }
    guard let types = (try? session.item(item))?.types(within: reach) else { return }
    precondition(Set(types.map(\.mime)).count == types.count, "a type is listed twice")
  }
}

// MARK: - Arguments

extension SessionPlayer {
  private static func name(_ events: inout Events) -> String { ":1.\(events.next(4))" }

  private static func application(_ events: inout Events) -> Application {
    events.next(2) == 0 ? .uniqueName(name(&events)) : .id(ids[events.next(ids.count)])
  }

  private static func caller(_ events: inout Events) -> Caller {
    let confinement: Confinement =
      switch events.next(3) {
      case 0: .unsandboxed
      case 1: .sandboxed(ids[events.next(ids.count)])
      default: .unverified
      }
    return Caller(uniqueName: name(&events), confinement: confinement)
  }

  private func type(_ events: inout Events) -> MIMEType {
    Self.types[events.next(Self.types.count)]
  }

  private func representation(_ events: inout Events) -> Representation {
    Representation(
      type: type(&events), visibility: Visibility.allCases[events.next(4)],
      content: CountedContent(byteCount: events.next(45)))
  }

  private func item(_ events: inout Events) -> ItemProvider {
    var item = ItemProvider(row: events.next(2) == 0 ? RowID(UInt64(events.next(4))) : nil)
    for _ in 0..<events.next(3) { try? item.register(representation(&events)) }
    return item
  }

  private func items(_ events: inout Events) -> [Int] {
    (0..<events.next(4)).map { _ in events.next(max(1, session.items.count)) }
  }

  private func proposal(_ events: inout Events) -> DropProposal {
    DropProposal(
      operation: DropOperation.allCases[events.next(4)],
      destination: IndexPath(section: events.next(2), row: events.next(9)))
  }
}

private struct CountedContent: RepresentationContent {
  let byteCount: Int
}

// MARK: - Invariants

extension SessionPlayer {
  private mutating func check(_ conclusion: DragConclusion?, after before: DragSession) {
    precondition(before.state.order <= session.state.order, "it has gone back")
    let hasEnded = before.state.order < 2 && session.state.order == 2
    precondition(hasEnded == (conclusion != nil), "an end is not reported, or a report has no end")
    if let conclusion { check(conclusion, wasDropping: before.state.order == 1) }
    checkContents(before)
  }

  private mutating func check(_ conclusion: DragConclusion, wasDropping: Bool) {
    conclusions += 1
    promised = 0
    precondition(session.state == .ended(conclusion.operation))
    precondition(conclusion.operation != .forbidden)
    precondition((conclusion.willEnd == nil) == hasToldWillEnd, "WillEnd comes once")
    precondition((conclusion.transfer != nil) == wasDropping)
    guard let transfer = conclusion.transfer else { return }
    precondition(transfer.loaded == transfer.loaded.sorted())
    precondition(transfer.failed == transfer.failed.sorted())
    precondition(Set(transfer.loaded).isDisjoint(with: transfer.failed))
  }

  private func checkContents(_ before: DragSession) {
    if case .ended = session.state {
      precondition(session.items.isEmpty && session.byteCount == 0)
      return
    }
    let held = session.items.reduce(0) { $0 + $1.byteCount }
    precondition(session.byteCount == held + promised, "the bytes are miscounted")
    precondition(session.byteCount <= Self.limits.maxSessionBytes)
    precondition(session.itemCount == session.items.count)
    precondition(session.itemCount <= Self.limits.maxItems)
    guard before.state.order == 1 else { return }
    precondition(session.seen == before.seen, "it has changed while it was dropped")
    precondition(session.allowsMove == before.allowsMove)
    precondition(session.isRestrictedToApplication == before.isRestrictedToApplication)
  }

  private func checkSame(as before: DragSession) {
    precondition(session.state == before.state && session.itemCount == before.itemCount)
    precondition(session.byteCount == before.byteCount && session.seen == before.seen)
    precondition(session.allowsMove == before.allowsMove)
    precondition(session.isRestrictedToApplication == before.isRestrictedToApplication)
  }
}

extension DragSession {
  /// The types of the items that their source sees.
  fileprivate var seen: [[MIMEType]] { items.map { $0.types(within: .ownProcess) } }
}

extension DragSession.State {
  fileprivate var order: Int {
    switch self {
    case .active: 0
    case .dropping: 1
    case .ended: 2
    }
  }
}

// MARK: - A promise

/// Plays the bytes as the events of a promise.
private func playPromise(_ bytes: UnsafeRawBufferPointer) {
  var state = PromiseState()
  var (isAtEnd, hasReplied, isOver) = (false, false, false)
  for byte in bytes {
    let action: PromiseState.Action
    switch byte % 5 {
    case 0:
      action = state.pipeEnded()
      isAtEnd = true
    case 1:
      action = state.replied()
      hasReplied = true
    case 2: action = state.left()
    case 3: action = state.pipeIsDry()
    default: action = byte & 8 == 0 ? .wait : state.fail(.silent)
    }
    guard action != .wait else {
      precondition(state.isOver == isOver, "a session has ended without a report")
      continue
    }
    precondition(!isOver && state.isOver, "over twice")
    precondition(action != .keep || isAtEnd && hasReplied, "kept before all of it was there")
    isOver = true
  }
}
