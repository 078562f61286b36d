import DBus
import DragModel

/// Who calls: the bus and `/proc` are asked once for each connection, and its calls wait for that, in order.
///
/// Nothing else waits. A unique name is never used again, so what is known of it stays right; it is forgotten when many others have called
/// since its last call, and none of its calls waits.
final class CallerTable {
  /// A connection that is being looked at.
  private struct Inquiry {
    let number: Int
    let timer: Timer
    var calls: [Message] = []
    var bytes = 0
  }

  /// How many calls may wait, of one connection and in all, and how many bytes with them, unless it is one call alone.
  private static let mostCallsOfOne = 1_024
  private static let mostCalls = 8_192
  private static let mostBytes = 256 << 20
  /// How many connections are known at least of those that called last.
  private static let mostRecent = 2_048
  /// After that it is not looked any longer: then nothing is known of the connection.
  private static let patience = Duration.seconds(10)
  /// What is not known of a connection is so for so long, then it is looked again.
  private static let doubt = Duration.seconds(1)

  private unowned let service: Service
  private let opensContents: Bool
  private let arrivals: ArrivalLog
  /// Who called last.
  private var latest: Client?
  private var recent: [String: Client] = [:]
  private var earlier: [String: Client] = [:]
  /// How many of the recent ones are there because their calls wait.
  private var keptCount = 0
  private var inquiries: [String: Inquiry] = [:]
  private var lastNumber = 0
  private var waiting = (calls: 0, bytes: 0)

  /// A table in which nobody is known; `opensContents` lets sandboxed callers know what all rows hold.
  init(_ service: Service, opensContents: Bool) {
    self.service = service
    self.opensContents = opensContents
    arrivals = ArrivalLog(service.connection)
  }

  /// Whether calls wait.
  var isInquiring: Bool { !inquiries.isEmpty }

  /// Says who calls, or puts the call off until that is known.
  ///
  /// - Throws: LimitsExceeded where too many calls wait already.
  func admit(_ call: Message) throws(DBusError) -> Admission {
    if let latest, call.isFrom(latest.name) { return try admit(call, of: latest) }
    let name = call.sender ?? ""
    guard let client = find(name) else {
      try putOff(call, from: name)
      return .putOff
    }
    if client.doubtsEnd == nil { latest = client }
    return try admit(call, of: client)
  }

  /// A call's turn comes first: what else it waits for it waits for in its order then.
  private func admit(_ call: Message, of client: Client) throws(DBusError) -> Admission {
    if !call.hasHadTurn {
      guard try service.pacing.admit(call, client.turns) else { return .putOff }
      call.hasHadTurn = true
    }
    guard client.isKnown else {
      try putOff(call, from: client.name)
      return .putOff
    }
    guard !client.unread.isTooMuch else {
      try service.readWatch.putOff(call, of: client)
      return .putOff
    }
    return .admitted(by: client)
  }

  // MARK: Known connections

  /// Whether what a connection has been answered lies unread, and is with `byteCount` more bytes as much as may.
  func hasTooMuchToRead(_ name: String, with byteCount: Int = 0) -> Bool {
    (recent[name] ?? earlier[name])?.unread.isTooMuch(with: byteCount) ?? false
  }

  private func find(_ name: String) -> Client? {
    if let client = recent[name] { return client }
    guard let client = earlier[name] else { return nil }
    remember(client)
    return client
  }

  /// Notes who has called last.
  ///
  /// One whose calls wait stays: what it calls next is to be answered behind them.
  func remember(_ client: Client) {
    if recent.count >= Self.mostRecent + keptCount {
      let kept = earlier.filter { recent[$0.key] == nil && $0.value.hasWaitingCalls }
      (earlier, recent, keptCount) = (recent, kept, kept.count)
    }
    recent[client.name] = client
  }

  // MARK: Unknown connections

  private func putOff(_ call: Message, from name: String) throws(DBusError) {
    try service.server.checkWaiting(call)
    let bytes = call.byteCountToKeep
    guard waiting.calls < Self.mostCalls,
      waiting.calls == 0 || waiting.bytes + bytes <= Self.mostBytes,
      inquiries[name]?.calls.count ?? 0 < Self.mostCallsOfOne
    else {
      throw DBusError(
        .limitsExceeded,
        "\(Self.mostCallsOfOne) calls of one client, or \(Self.mostBytes) bytes of all, can wait until it is known who calls; wait for the replies"
      )
    }
    let copy = try call.copyToKeep()
    if inquiries[name] == nil { inquire(name) }
    inquiries[name]?.calls.append(copy)
    inquiries[name]?.bytes += bytes
    waiting = (waiting.calls + 1, waiting.bytes + bytes)
  }

  private func inquire(_ name: String) {
    lastNumber += 1
    let number = lastNumber
    let timer = service.schedule(after: Self.patience) { [weak self] in
      self?.settle(name, number, .doubtful)
    }
    inquiries[name] = Inquiry(number: number, timer: timer)
    askBus(name, number)
  }

  private func askBus(_ name: String, _ number: Int) {
    service.connection.call(
      BusInterface.getConnectionCredentials, at: BusInterface.path, of: .bus, timeout: nil, name
    ) { [weak self] result in
      guard let self else { return }
      guard case .success(let values) = result else { return settle(name, number, .doubtful) }
      inspect(Credentials(values), name, number)
    }
  }

  private func inspect(_ credentials: Credentials, _ name: String, _ number: Int) {
    let process = arrivals.process(of: name, credentials)
    service.work(inLane: name, kind: .inspection) {
      ProcessInspection.evidence(of: credentials, process)
    } then: { [weak self] evidence in
      self?.settle(name, number, evidence.confinement)
    }
  }

  private func settle(_ name: String, _ number: Int, _ confinement: Confinement) {
    guard inquiries[name]?.number == number, let inquiry = inquiries.removeValue(forKey: name)
    else { return }
    service.connection.loop.cancel(inquiry.timer)
    waiting = (waiting.calls - inquiry.calls.count, waiting.bytes - inquiry.bytes)
    let caller = Caller(uniqueName: name, confinement: confinement)
    remember(
      Client(
        BoardAccess(of: caller, opensContents: opensContents),
        doubtsEnd: confinement == .doubtful ? .now + Self.doubt : nil,
        replacing: recent[name] ?? earlier[name]))
    service.connection.handle(inquiry.calls)
  }
}

extension Client {
  /// Whether what is known of it still counts.
  fileprivate var isKnown: Bool { doubtsEnd.map { .now < $0 } ?? true }
}
