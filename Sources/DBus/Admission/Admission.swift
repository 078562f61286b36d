/// The admission of calls, which decides whether a call is served at once, served later, or
/// refused.
///
/// A call is served at once if its client is identified, is not slowed by the pacer, and has read
/// its answers. Otherwise the call waits in the client's queue, and all later calls of this client
/// wait behind it. The reason for which the first call waits is the client's *gate*. When the gate
/// opens, the queue becomes *ready*. Ready queues are served before the next message is read, in
/// turn, one call of each.
///
/// Some calls cannot wait, for example because they have file descriptors or because too many calls
/// wait already. Such a call is served at once if it would wait for the pacer; otherwise it is
/// refused.
///
/// Confined to the connection's loop.
public final class Admission {
  /// Identifies the client of a unique name, and calls `then` once.
  public typealias Identify = (_ name: String, _ then: @escaping (Identity) -> Void) -> Void

  private unowned let server: ObjectServer
  private let connection: Connection
  private let identify: Identify
  var clients = ClientTable()
  /// The client that called last.
  private var latest: ClientQueue?
  private var pacer = Pacer()
  let unread: UnreadAnswers
  private let unidentified = Quota(
    "calls of unidentified clients", perConnection: Quota.Limit(calls: 1_024),
    total: Quota.Limit(calls: 8_192, bytes: 256 << 20), advice: "wait for the replies")
  private let waiting = Quota(
    "waiting calls", perConnection: Quota.Limit(calls: 1_024),
    total: Quota.Limit(calls: 8_192, bytes: 64 << 20),
    advice: "wait for the replies, and read them")
  private var identifyingCount = 0
  /// The clients that wait for the pacer, and the clients that are ready.
  private var paced: [ClientQueue] = []
  private var ready: [ClientQueue] = []
  private var isIntervalRunning = false

  /// Attaches to a server, and admits the calls of its clients from now on.
  ///
  /// - Parameters:
  ///   - server: the server, which retains the admission.
  ///   - identify: identifies a client. Called once for each client, and again when its identity
  ///     has expired.
  public init(_ server: ObjectServer, identify: @escaping Identify) {
    (self.server, connection, self.identify) = (server, server.connection, identify)
    unread = UnreadAnswers(connection)
    unread.onRead = { [unowned self] in hasRead($0) }
    server.admission = self
    connection.serveWaitingCall = { [unowned self] in !ready.isEmpty && serveNext() }
  }

  deinit { connection.serveWaitingCall = nil }

  // MARK: Clients

  /// Whether no client waits for the server.
  ///
  /// Clients that do not read their answers are not counted.
  public var isAtRest: Bool { identifyingCount == 0 && paced.isEmpty && ready.isEmpty }

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

  /// Serves, defers or refuses a call that has arrived.
  func receive(_ call: Message) {
    let client = client(of: call)
    pacer.note(client, in: connection.iteration)
    let gate = client.isWaiting ? client.gate : gate(of: client)
    guard gate != .open || client.isWaiting else { return server.serve(call, for: client) }
    do throws(DBusError) { try enqueue(call, of: client, behind: gate) } catch {
      server.refuse(ReplyAddress(call, from: nil), with: error)
    }
  }

  private func gate(of client: ClientQueue) -> ClientQueue.Gate {
    if !client.isIdentified { return .identifying }
    if client.pace.isBulk, client.granted == 0, pacer.mustWait(client) { return .paced }
    return unread.isFull(client) ? .unread : .open
  }

  /// Appends a call to the client's queue.
  ///
  /// The call waits there until `gate` opens.
  ///
  /// - Throws: LimitsExceeded if the call cannot wait.
  func enqueue(
    _ call: Message, of client: ClientQueue, behind gate: ClientQueue.Gate
  ) throws(DBusError) {
    switch gate {
    case .identifying:
      try server.checkWaiting(call)
      try client.append(call, charging: unidentified)
    case .paced:
      guard canWait(call, client) else { return passAll(of: client, and: call) }
      try client.append(call, charging: waiting)
    case .unread:
      guard canWait(call, client) else { return try refuseUnread(client) }
      try client.append(call, charging: waiting)
    case .open: try client.append(call, charging: waiting)
    }
    if client.gate != gate { close(client, gate) }
  }

  /// Whether a call may wait.
  ///
  /// A call with file descriptors may not, because it would keep them open.
  private func canWait(_ call: Message, _ client: ClientQueue) -> Bool {
    !call.bearsDescriptors
      && waiting.hasRoom(for: Cost(calls: 1, bytes: call.byteCountToKeep), of: client.holder)
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

  /// Closes the gate before a client's first call.
  ///
  /// Starts the event that opens the gate again: the identification, or the interval until the next
  /// portion.
  private func close(_ client: ClientQueue, _ gate: ClientQueue.Gate) {
    client.gate = gate
    switch gate {
    case .identifying: beginIdentification(of: client)
    case .paced:
      paced.append(client)
      beginInterval()
    case .unread, .open: break
    }
  }

  private func open(_ client: ClientQueue) {
    client.gate = .open
    if client.isWaiting { ready.append(client) }
  }

  private func beginIdentification(of client: ClientQueue) {
    identifyingCount += 1
    identify(client.name) { [weak self] identity in
      client.setIdentity(identity)
      self?.identifyingCount -= 1
      self?.open(client)
    }
  }

  private func hasRead(_ client: ClientQueue) {
    if client.gate == .unread { open(client) }
  }

  /// Serves all waiting calls of a paced client, and then `call`, which cannot wait.
  private func passAll(of client: ClientQueue, and call: Message) {
    client.appendAndGrantAll(call)
    paced.removeAll { $0 === client }
    open(client)
  }

  private func beginInterval() {
    guard !isIntervalRunning else { return }
    isIntervalRunning = true
    pacer.beginInterval()
    connection.loop.schedule(after: Pacer.interval) { [weak self] in self?.grantPortion() }
  }

  /// Grants an equal share of the portion to each paced client.
  ///
  /// If a client no longer has to wait, all its calls are granted.
  private func grantPortion() {
    isIntervalRunning = false
    let portion = pacer.takePortion()
    let served = paced.prefix(portion)
    paced.removeFirst(served.count)
    for client in served {
      if pacer.mustWait(client) { client.grant(portion / served.count) } else { client.grantAll() }
      open(client)
    }
    if !paced.isEmpty { beginInterval() }
  }

  // MARK: Serving

  /// Serves one call of the next ready client; returns false if no client is ready.
  private func serveNext() -> Bool {
    while let client = ready.first {
      ready.removeFirst()
      let gate = gate(of: client)
      // A call with file descriptors cannot wait until the client reads its answers. So it is taken
      // from the queue and refused.
      guard gate == .open || (gate == .unread && client.firstBearsDescriptors) else {
        close(client, gate)
        continue
      }
      guard let call = client.takeFirst() else { continue }
      if client.isWaiting { ready.append(client) }
      connection.willHandleMessage?()
      serve(call, for: client, isRefused: gate == .unread)
      return true
    }
    return false
  }

  private func serve(_ call: Message, for client: ClientQueue, isRefused: Bool) {
    guard isRefused else { return server.serve(call, for: client) }
    do throws(DBusError) { try refuseUnread(client) } catch {
      server.refuse(ReplyAddress(call, from: nil), with: error)
    }
  }
}
