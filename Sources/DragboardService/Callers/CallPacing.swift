import DBus

/// How a client calls, and which of its calls wait for their turn.
final class CallTurns {
  /// The turn of the loop in which it called last, and how many times.
  fileprivate var turn = 0
  fileprivate var callsInTurn = 0
  /// Until when it counts as one that sends many calls at once; nil where it does not.
  fileprivate var bulkEnd: ContinuousClock.Instant?
  /// The calls that wait, in order.
  fileprivate var calls: [(call: Message, byteCount: Int)] = []

  /// Whether calls wait.
  var areWaiting: Bool { !calls.isEmpty }
}

/// Has clients that send many calls at once wait for their turns while they have the company of one that does not.
///
/// The bus passes on what one client has sent before it looks at the next: whoever has many calls under way has bus and daemon to itself,
/// and a single question stands behind all of them. So in such company all who send many have only so many calls answered in a
/// millisecond, and bus and daemon are free in between. Alone, and among themselves, they wait for nothing.
final class CallPacing {
  /// More calls than that in one turn of the loop are many: who waits for each answer has one.
  private static let mostAtOnce = 16
  /// How long a client counts as one that sends many, and how long one that does not counts as company.
  private static let bulkMemory = Duration.seconds(1)
  private static let companyMemory = Duration.milliseconds(100)
  /// So many calls of all that send many are answered in each interval, and no more when several have gone by, as in a commit.
  private static let interval = Duration.milliseconds(1)
  private static let callsInInterval = 8
  private static let mostTogether = 64
  /// So many calls of a client may wait, and of all, and bytes with them; where there are more its calls do not wait.
  private static let mostCallsOfOne = 1_024
  private static let mostCalls = 8_192
  private static let mostBytes = 64 << 20

  /// Who does not send many calls at once, and until when that counts.
  private struct Companion {
    let client: ObjectIdentifier
    let end: ContinuousClock.Instant
  }

  private unowned let service: Service
  private var turn = 0
  /// The two who were company last, the latest first: one of them is another than whoever asks.
  private var company: (Companion?, Companion?) = (nil, nil)
  private var waiting: [CallTurns] = []
  private var waitingSize = (calls: 0, bytes: 0)
  private var lastGrant = ContinuousClock.now
  private var isGranting = false

  init(_ service: Service) { self.service = service }

  /// Whether calls wait.
  var isPacing: Bool { !waiting.isEmpty }

  /// Notes that what has come together has been handled.
  func endTurn() { turn += 1 }

  /// Whether a call is answered now; one that is not comes again, and has had its turn then.
  ///
  /// - Throws: LimitsExceeded where it cannot be kept.
  func admit(_ call: Message, _ turns: CallTurns) throws(DBusError) -> Bool {
    if turns.turn != turn { (turns.turn, turns.callsInTurn) = (turn, 0) }
    turns.callsInTurn += 1
    let now = ContinuousClock.now
    if !isBulk(turns, now) {
      noteCompany(turns, until: now + Self.companyMemory)
      return true
    }
    guard !turns.calls.isEmpty || hasCompany(turns, now) else { return true }
    guard canWait(call, turns) else {
      letAllPass(turns, and: call)
      return false
    }
    try putOff(call, turns)
    return false
  }

  // MARK: Who sends many

  private func isBulk(_ turns: CallTurns, _ now: ContinuousClock.Instant) -> Bool {
    if turns.callsInTurn > Self.mostAtOnce || !turns.calls.isEmpty {
      if turns.bulkEnd == nil { forgetCompany(turns) }
      turns.bulkEnd = now + Self.bulkMemory
      return true
    }
    guard let end = turns.bulkEnd else { return false }
    if end < now { turns.bulkEnd = nil }
    return end >= now
  }

  private func noteCompany(_ turns: CallTurns, until end: ContinuousClock.Instant) {
    let companion = Companion(client: ObjectIdentifier(turns), end: end)
    company = (companion, company.0?.client == companion.client ? company.1 : company.0)
  }

  /// Forgets who turns out to send many.
  private func forgetCompany(_ turns: CallTurns) {
    if company.1?.client == ObjectIdentifier(turns) { company.1 = nil }
    if company.0?.client == ObjectIdentifier(turns) { company = (company.1, nil) }
  }

  private func hasCompany(_ turns: CallTurns, _ now: ContinuousClock.Instant) -> Bool {
    func counts(_ companion: Companion?) -> Bool {
      guard let companion else { return false }
      return companion.client != ObjectIdentifier(turns) && now < companion.end
    }
    return counts(company.0) || counts(company.1)
  }

  // MARK: Waiting

  /// A descriptor is not kept open for longer than it must be.
  private func canWait(_ call: Message, _ turns: CallTurns) -> Bool {
    turns.calls.count < Self.mostCallsOfOne && waitingSize.calls < Self.mostCalls
      && waitingSize.bytes < Self.mostBytes && !call.bearsDescriptors
  }

  private func putOff(_ call: Message, _ turns: CallTurns) throws(DBusError) {
    let copy = try call.copyToKeep()
    copy.hasHadTurn = true
    let bytes = call.byteCountToKeep
    if turns.calls.isEmpty { waiting.append(turns) }
    turns.calls.append((copy, bytes))
    waitingSize = (waitingSize.calls + 1, waitingSize.bytes + bytes)
    guard !isGranting else { return }
    lastGrant = .now
    grantLater()
  }

  /// Has everything of a client answered, in order.
  private func letAllPass(_ turns: CallTurns, and call: Message) {
    waiting.removeAll { $0 === turns }
    grant(turns.calls.count, to: turns)
    call.hasHadTurn = true
    service.connection.handle([call])
  }

  private func grantLater() {
    isGranting = true
    service.schedule(after: Self.interval) { [weak self] in self?.grantSome() }
  }

  /// Has as many calls answered as the time allows, the same share of each client's; of who has no company any more, all.
  private func grantSome() {
    isGranting = false
    let now = ContinuousClock.now
    let most = min(
      Self.mostTogether, Int((now - lastGrant) / Self.interval * Double(Self.callsInInterval)))
    lastGrant = now
    let served = waiting.prefix(most)
    waiting.removeFirst(served.count)
    for turns in served {
      grant(hasCompany(turns, now) ? max(1, most / served.count) : turns.calls.count, to: turns)
      if !turns.calls.isEmpty { waiting.append(turns) }
    }
    if !waiting.isEmpty { grantLater() }
  }

  private func grant(_ count: Int, to turns: CallTurns) {
    let calls = turns.calls.prefix(count)
    turns.calls.removeFirst(calls.count)
    waitingSize.calls -= calls.count
    waitingSize.bytes -= calls.reduce(0) { $0 + $1.byteCount }
    service.connection.handle(calls.map(\.call))
  }
}
