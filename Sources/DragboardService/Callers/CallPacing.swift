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
  /// How many of those that come next have waited.
  fileprivate var granted = 0
}

/// Has clients that send many calls at once wait for their turns while they have the company of one that waits for each answer.
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
  /// So many calls of a client may wait, and bytes with those of all; where there are more nobody waits.
  private static let mostCalls = 1_024
  private static let mostBytes = 64 << 20

  private unowned let service: Service
  private var turn = 0
  /// Who called last.
  private var latest: ObjectIdentifier?
  /// Until when somebody is there who waits for each answer, and who that was last.
  private var companyEnd = ContinuousClock.now
  private var companion: ObjectIdentifier?
  private var waiting: [CallTurns] = []
  private var byteCount = 0
  private var lastGrant = ContinuousClock.now
  private var isGranting = false

  init(_ service: Service) { self.service = service }

  /// Whether calls wait.
  var isPacing: Bool { !waiting.isEmpty }

  /// Notes that what has come together has been handled.
  func endTurn() { turn += 1 }

  /// Whether a call is answered now; one that is not comes again.
  func admit(_ call: Message, _ turns: CallTurns) -> Bool {
    if turns.turn != turn { (turns.turn, turns.callsInTurn) = (turn, 0) }
    turns.callsInTurn += 1
    let isAnother = latest != ObjectIdentifier(turns)
    latest = ObjectIdentifier(turns)
    guard turns.callsInTurn > Self.mostAtOnce || turns.bulkEnd != nil else {
      if isAnother { (companion, companyEnd) = (latest, .now + Self.companyMemory) }
      return true
    }
    return admitOneOfMany(call, turns, .now)
  }

  private func admitOneOfMany(
    _ call: Message, _ turns: CallTurns, _ now: ContinuousClock.Instant
  ) -> Bool {
    if turns.granted > 0 {
      turns.granted -= 1
      return true
    }
    if turns.callsInTurn > Self.mostAtOnce || !turns.calls.isEmpty {
      // It was not company, after all.
      if companion == ObjectIdentifier(turns) { companyEnd = now }
      turns.bulkEnd = now + Self.bulkMemory
    } else if let end = turns.bulkEnd, end < now {
      turns.bulkEnd = nil
      return true
    }
    guard now < companyEnd || !turns.calls.isEmpty else { return true }
    putOff(call, turns)
    return false
  }

  // MARK: Waiting

  private func putOff(_ call: Message, _ turns: CallTurns) {
    if !isGranting {
      lastGrant = .now
      grantLater()
    }
    if turns.calls.isEmpty { waiting.append(turns) }
    let bytes = call.argumentByteCount
    turns.calls.append((call.copyToKeep(), bytes))
    byteCount += bytes
    guard turns.calls.count > Self.mostCalls || byteCount > Self.mostBytes || call.bearsDescriptors
    else { return }
    waiting.removeAll { $0 === turns }
    grant(turns.calls.count, to: turns)
  }

  private func grantLater() {
    isGranting = true
    service.schedule(after: Self.interval) { [weak self] in self?.grantSome() }
  }

  /// Has as many calls answered as the time allows, the same share of each client's, or all of them where there is no company any more.
  private func grantSome() {
    isGranting = false
    let now = ContinuousClock.now
    let most = min(
      Self.mostTogether, Int((now - lastGrant) / Self.interval * Double(Self.callsInInterval)))
    lastGrant = now
    let isCompany = now < companyEnd
    let served = waiting.prefix(isCompany ? most : waiting.count)
    waiting.removeFirst(served.count)
    for turns in served {
      grant(isCompany ? max(1, most / served.count) : turns.calls.count, to: turns)
      if !turns.calls.isEmpty { waiting.append(turns) }
    }
    if !waiting.isEmpty { grantLater() }
  }

  private func grant(_ count: Int, to turns: CallTurns) {
    let calls = turns.calls.prefix(count)
    turns.calls.removeFirst(calls.count)
    turns.granted += calls.count
    byteCount -= calls.reduce(0) { $0 + $1.byteCount }
    service.connection.handle(calls.map(\.call))
  }
}
