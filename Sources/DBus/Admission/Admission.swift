/// The admission of calls, which decides whether a call is served at once, served later, or
/// refused.
///
/// A call that arrives while no other call waits is served at once. Otherwise it waits in the
/// client's queue, and the holders of quotas take turns (`Turns`): all connections of a sandbox are
/// one holder. In each turn, one call or one part of a long call is performed.
///
/// A client does not take part while its *gate* is closed: until it is identified, and while it has
/// not read its replies. A holder does not take part while its large replies wait to be sent.
///
/// A call that cannot wait, for example because too many calls wait already, is refused. Calls of a
/// client without a sandbox are served at once instead.
///
/// Confined to the connection's loop.
public final class Admission {
  /// Identifies the client of a unique name, and calls `then` once.
  public typealias Identify = (_ name: String, _ then: @escaping (Identity) -> Void) -> Void

  /// The maximum number of calls with descriptors in a quota of waiting calls.
  private static let maxDescriptors = DescriptorTable.limit / 4

  private unowned let server: ObjectServer
  private let connection: Connection
  private let identify: Identify
  var clients = ClientTable()
  /// The client that called last.
  private var latest: ClientQueue?
  private var turns = Turns()
  /// The call that arrived while no call waited.
  ///
  /// It is served next, unless another call arrives before.
  private var first: (client: ClientQueue, call: Message)?
  /// The clients that wait until replies are read.
  private var unreading: [ClientQueue] = []
  let unread: UnreadAnswers
  private let unidentified = Quota(
    "calls of unidentified clients", perConnection: Quota.Limit(calls: 1_024),
    total: Quota.Limit(calls: 8_192, bytes: 32 << 20, descriptors: maxDescriptors),
    reservesFirst: true, advice: "wait for the replies")
  private let waiting = Quota(
    "waiting calls", perConnection: Quota.Limit(calls: 1_024),
    share: Quota.Limit(
      calls: 2_048, bytes: 32 << 20, descriptors: Quota.share(of: maxDescriptors)),
    total: Quota.Limit(calls: 8_192, bytes: 64 << 20, descriptors: maxDescriptors),
    advice: "wait for the replies, and read them")
  private var identifyingCount = 0
  /// Whether the latest turn depends on the commit at the end of the iteration, which is then charged
  /// to its holder, too.
  public var isUncommitted: (() -> Bool)?
  /// The holders whose turns in this iteration depend on the commit.
  private var committing: [TurnHolder] = []
  private let backlog: ReplyBacklog

  /// Attaches to a server, and admits the calls of its clients from now on.
  ///
  /// - Parameters:
  ///   - server: the server, which retains the admission.
  ///   - identify: identifies a client. Called once for each client, and again when its identity
  ///     has expired.
  public init(_ server: ObjectServer, identify: @escaping Identify) {
    (self.server, connection, self.identify) = (server, server.connection, identify)
    backlog = ReplyBacklog(connection)
    unread = UnreadAnswers(connection)
    unread.onRead = { [unowned self] in hasRead($0) }
    unread.clients = { [unowned self] holder in clients.all { $0.turnHolder === holder } }
    server.admission = self
    connection.letMessagesWait(until: self)
  }

  // MARK: Clients

  /// Whether no client waits for the server.
  ///
  /// Clients that do not read their answers are not counted.
  public var isAtRest: Bool { identifyingCount == 0 && !hasWaitingCalls }

  /// Whether the client's unread answers leave room for `byteCount` more bytes.
  public func mayAnswer(_ name: String, with byteCount: Int) -> Bool {
    clients[name].map { !unread.isFull($0, with: byteCount) } ?? true
  }

  /// Returns the quota holder to which the calls of a unique name are charged.
  public func holder(of name: String) -> Quota.Holder {
    clients[name]?.holder ?? Quota.Holder(connection: name)
  }

  /// Returns the unique name of a known connection of a sandbox; nil if there is none.
  public func connection(ofSandbox sandbox: String) -> String? {
    clients.first { $0.identity?.sandbox == sandbox }?.name
  }

  /// Forgets a client that has left the bus.
  public func forget(_ name: String) { clients.remove(name) }

  private func client(of call: Message) -> ClientQueue {
    if let latest, call.isFrom(latest.name) { return latest }
    let client = clients.find(call.sender ?? "")
    latest = client
    return client
  }

  // MARK: Arrival

  /// Takes a call that has arrived.
  func receive(_ call: Message) {
    let client = client(of: call)
    if first == nil, turns.isEmpty, !client.isWaiting, gate(of: client) == .open,
      backlog.hasSent(to: client.turnHolder)
    {
      first = (client, call)
      turns.noteIdle()
      return
    }
    enqueueFirst()
    enqueue(call, of: client)
  }

  /// Lets the signal that a client has left wait behind the calls of the client.
  ///
  /// - Returns: false if the message is another one, or if no call of the client waits.
  func keep(_ signal: Message) -> Bool {
    guard let name = BusNames.departure(in: signal), let client = clients[name], client.isWaiting
    else { return false }
    client.append(signal)
    return true
  }

  private func enqueueFirst() {
    guard let (client, call) = first else { return }
    first = nil
    enqueue(call, of: client)
  }

  private func gate(of client: ClientQueue) -> ClientQueue.Gate {
    if !client.isIdentified { return .identifying }
    return unread.isFull(client) ? .unread : .open
  }

  private func enqueue(_ call: Message, of client: ClientQueue) {
    let gate = client.isWaiting ? client.gate : gate(of: client)
    do throws(DBusError) { try enqueue(call, of: client, behind: gate) } catch {
      connection.willHandleMessage?()
      server.refuse(ReplyAddress(call, from: nil), with: error)
    }
  }

  /// Appends a call to the client's queue, where it waits for its turn and until `gate` opens.
  ///
  /// - Throws: LimitsExceeded if the call cannot wait.
  func enqueue(
    _ call: Message, of client: ClientQueue, behind gate: ClientQueue.Gate
  ) throws(DBusError) {
    switch gate {
    case .identifying:
      try server.checkWaiting(call)
      try client.append(call, charging: unidentified)
    case .unread:
      let cost = Cost(ofKeeping: call)
      guard !call.bearsDescriptors, waiting.hasRoom(for: cost, of: client.holder) else {
        return try refuseUnread(client)
      }
      try client.append(call, charging: waiting)
    case .open:
      try server.checkWaiting(call)
      do throws(DBusError) { try client.append(call, charging: waiting) } catch {
        guard client.holder.sandbox == nil, client.turnHolder.parts.isEmpty else { throw error }
        serveAll(of: client, and: call)
      }
    }
    if client.gate != gate { close(client, gate) } else { makeReady(client) }
  }

  /// Serves all waiting calls of a client, and then `call`, which cannot wait.
  private func serveAll(of client: ClientQueue, and call: Message) {
    let start = MonotonicTime.now
    turns.begin(client.turnHolder)
    while let call = client.takeFirst() { serve(call, for: client) }
    serve(call, for: client)
    end(client.turnHolder, since: start)
  }

  /// Refuses a call of a client that does not read its answers.
  ///
  /// If too many refusals are unread, drops the call without an answer.
  private func refuseUnread(_ client: ClientQueue) throws(DBusError) {
    guard unread.noteRefusal(to: client) else { return }
    throw DBusError(
      .limitsExceeded,
      "replies: \(UnreadAnswers.maxBytes) bytes are unread, and this call cannot wait (read the replies)"
    )
  }

  // MARK: Gates

  /// Closes the gate before a client's first call, and starts the event that opens it again.
  private func close(_ client: ClientQueue, _ gate: ClientQueue.Gate) {
    client.gate = gate
    switch gate {
    case .identifying: beginIdentification(of: client)
    case .unread:
      unreading.append(client)
      unread.askAll(client.turnHolder)
    case .open: makeReady(client)
    }
  }

  private func open(_ client: ClientQueue) {
    client.gate = .open
    makeReady(client)
  }

  /// Lets a client with waiting calls take part in the turns.
  private func makeReady(_ client: ClientQueue) {
    guard client.gate == .open, client.isWaiting, !client.isReady else { return }
    client.isReady = true
    client.turnHolder.ready.append(client)
    turns.append(client.turnHolder)
  }

  private func beginIdentification(of client: ClientQueue) {
    identifyingCount += 1
    identify(client.name) { [weak self] identity in
      guard let self else { return }
      client.setIdentity(identity, sharing: turnHolder(of: client, in: identity.sandbox))
      identifyingCount -= 1
      open(client)
    }
  }

  private func turnHolder(of client: ClientQueue, in sandbox: String?) -> TurnHolder {
    guard let sandbox else { return TurnHolder() }
    return clients.first { $0.identity?.sandbox == sandbox }?.turnHolder ?? TurnHolder()
  }

  private func hasRead(_ holder: TurnHolder) {
    let clients = unreading.filter { $0.turnHolder === holder }
    unreading.removeAll { $0.turnHolder === holder }
    for client in clients { open(client) }
  }

  // MARK: Turns

  /// Performs a long call in parts, each in a turn of the client.
  ///
  /// Later calls of the client, and of other clients of its sandbox, are served after the last part.
  ///
  /// - Parameters:
  ///   - name: the unique name of the client that called.
  ///   - part: performs a part, and returns whether more remain.
  public func continueCall(of name: String, _ part: @escaping () -> Bool) {
    let client = clients[name]
    let holder = client?.turnHolder ?? TurnHolder()
    client?.longCallCount += 1
    holder.parts.append {
      if part() { return true }
      client?.longCallCount -= 1
      return false
    }
    turns.append(holder)
  }

  /// Whether a call can be served now or when large replies have been sent.
  private var hasWaitingCalls: Bool { first != nil || !turns.isEmpty }

  /// Whether a call can be served now.
  var canServe: Bool {
    first != nil || (!backlog.isPausing && turns.contains(where: backlog.hasSent))
  }

  /// Whether calls of several clients may wait, so that it depends on the turns which one is next.
  var hasTurns: Bool { !turns.isEmpty }

  /// Serves the call that arrived while no call waited; returns false if there is none.
  func serveFirst() -> Bool {
    guard let (client, call) = first else { return false }
    first = nil
    let start = MonotonicTime.now
    turns.begin(client.turnHolder)
    serve(call, for: client)
    end(client.turnHolder, since: start)
    return true
  }

  /// Serves one turn; returns false if no holder can be served now.
  func serveNext() -> Bool {
    guard !serveFirst() else { return true }
    guard turns.isEmpty || !backlog.mustPause() else { return false }
    while let holder = turns.take(where: backlog.hasSent) {
      let start = MonotonicTime.now
      turns.begin(holder)
      let isServed = serveNext(of: holder)
      if holder.hasWork { turns.append(holder) }
      guard isServed else { continue }
      end(holder, since: start)
      return true
    }
    return false
  }

  private func end(_ holder: TurnHolder, since start: Turns.Time) {
    let now = MonotonicTime.now
    turns.charge(now - start, to: holder)
    backlog.noteTurn(of: holder, at: now)
  }

  private func serveNext(of holder: TurnHolder) -> Bool {
    if let part = holder.parts.first {
      if !part() { holder.parts.removeFirst() }
      return true
    }
    guard !holder.ready.isEmpty else { return false }
    let client = holder.ready.removeFirst()
    client.isReady = false
    let gate = gate(of: client)
    // A call with file descriptors cannot wait until the client reads its answers. So it is taken
    // from the queue and refused.
    guard gate == .open || (gate == .unread && client.firstBearsDescriptors) else {
      if client.isWaiting { close(client, gate) }
      return false
    }
    guard let call = client.takeFirst() else { return false }
    makeReady(client)
    serve(call, for: client, isRefused: gate == .unread)
    return true
  }

  private func serve(_ call: Message, for client: ClientQueue, isRefused: Bool = false) {
    guard call.kind == .methodCall else { return connection.handle(call) }
    connection.willHandleMessage?()
    if isRefused {
      do throws(DBusError) { try refuseUnread(client) } catch {
        server.refuse(ReplyAddress(call, from: nil), with: error)
      }
    } else {
      server.serve(call, for: client)
    }
    noteCommit(of: client.turnHolder)
  }

  // MARK: Replies and commits

  /// Records the size of a reply that was appended to the messages to be sent.
  func noteReply(_ reply: OutgoingMessage, to client: ClientQueue) {
    unread.note(reply.body.cost, to: client)
    client.turnHolder.replyEnd = connection.sentByteCount + connection.backlog
  }

  private func noteCommit(of holder: TurnHolder) {
    guard let isUncommitted, isUncommitted(), committing.last !== holder,
      !committing.contains(where: { $0 === holder })
    else { return }
    committing.append(holder)
  }

  /// Performs the end of an iteration, and charges its time to the holders whose turns depend on the
  /// commit, in equal parts.
  func endIteration(_ body: () -> Void) {
    guard !committing.isEmpty else { return body() }
    let start = MonotonicTime.now
    body()
    let share = (MonotonicTime.now - start) / committing.count
    for holder in committing { turns.charge(share, to: holder) }
    committing.removeAll(keepingCapacity: true)
  }
}
