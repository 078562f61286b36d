internal import CNATS
internal import Dispatch
internal import Glibc
internal import LinkModel
internal import Synchronization

/// A connection to a NATS server.
///
/// It reconnects automatically until it is destroyed.
public final class NATSConnection: Sendable {
  /// The server.
  public let server: ServerAddress

  private let reconnects: Bool
  private let state: Mutex<State>

  private struct State {
    var session: Session
    /// The number of earlier sessions.
    var number = 0
    /// The delays between the sessions.
    var backoff = Backoff()
    /// Whether another session is being made.
    var isRenewing = false
    /// Whether the connection has been ended, so that no other session is made.
    var isEnded = false
  }

  /// The timeout of a small request, in milliseconds.
  static let requestTimeout: Int64 = 5_000
  /// The timeout of a request with a chunk, in milliseconds.
  static let transferTimeout: Int64 = 30_000

  /// Connects to a server.
  ///
  /// If `waits` is true, an absent server is not an error: the connection is established later.
  public convenience init(to server: ServerAddress, waits: Bool = true) throws(LinkError) {
    try self.init(to: server, waits: waits, reconnects: true)
  }

  init(to server: ServerAddress, waits: Bool, reconnects: Bool) throws(LinkError) {
    (self.server, self.reconnects) = (server, reconnects)
    state = Mutex(
      State(session: try Self.session(to: server, waits: waits, reconnects: reconnects)))
  }

  /// The delays before the next attempts if a host refuses the key, in microseconds.
  private static let refusalDelays: [UInt32] = [50_000, 200_000]

  /// Makes a session.
  ///
  /// While nats-server reads the keys of the machines again, it refuses connections that are just being made.
  private static func session(
    to server: ServerAddress, waits: Bool, reconnects: Bool
  ) throws(LinkError) -> Session {
    for delay in server.host == nil ? [] : refusalDelays {
      do { return try Session(to: server, waits: waits, reconnects: reconnects) } catch {
        switch error {
        case .refused, .refusedKey: usleep(delay)
        default: throw error
        }
      }
    }
    return try Session(to: server, waits: waits, reconnects: reconnects)
  }

  /// A connection of libnats and its JetStream context, until libnats closes the connection permanently.
  ///
  /// libnats connects again after an interruption. But it stops if the server refuses the user, the
  /// password or the key twice, and after most other errors that a server reports.
  ///
  /// Source: https://github.com/nats-io/nats.c (`src/conn.c`, `_processAuthError` and
  /// `natsConn_processErr`). Version 3.4 has no option for this; a later one has one for the first case.
  private final class Session: Sendable {
    // The functions of libnats may be called on any thread.
    nonisolated(unsafe) let connection: OpaquePointer
    nonisolated(unsafe) let jetStream: OpaquePointer

    init(to server: ServerAddress, waits: Bool, reconnects: Bool) throws(LinkError) {
      var options: OpaquePointer?
      guard natsOptions_Create(&options) == NATS_OK else { throw .refused("out of memory") }
      defer { natsOptions_Destroy(options) }
      let statuses = [
        natsOptions_SetURL(options, server.url),
        natsOptions_SetName(options, "dragboard-link"),
        natsOptions_SetTimeout(options, requestTimeout),
        natsOptions_SetPingInterval(options, server.host == nil ? 20_000 : 5_000),
        natsOptions_SetMaxPingsOut(options, 2),
        natsOptions_SetWriteDeadline(options, transferTimeout),
        natsOptions_SetAllowReconnect(options, reconnects),
        natsOptions_SetMaxReconnect(options, -1),
        natsOptions_SetIgnoreDiscoveredServers(options, true),
        natsOptions_SetFailRequestsOnDisconnect(options, true),
        natsOptions_SetCustomReconnectDelay(
          options,
          { connection, attempts, _ in
            let delay = Backoff.delay(afterFailures: Int(attempts))
            ConnectionAttempts.begin(of: connection, after: delay)
            return Int64(delay / .milliseconds(1))
          }, nil),
        natsOptions_SetDisconnectedCB(
          options, { connection, _ in ConnectionAttempts.begin(of: connection) }, nil),
        natsOptions_SetReconnectedCB(
          options, { connection, _ in ConnectionAttempts.end(of: connection) }, nil),
        natsOptions_SetClosedCB(
          options, { connection, _ in ConnectionAttempts.end(of: connection) }, nil),
        // Without a handler libnats prints errors.
        natsOptions_SetErrorHandler(options, { _, _, _, _ in }, nil),
        // Without a handler, libnats blocks until the server is reachable.
        natsOptions_SetRetryOnFailedConnect(
          options, waits,
          waits ? { connection, _ in ConnectionAttempts.end(of: connection) } : nil, nil),
        setCredentials(of: server, options),
      ]
      if let status = statuses.first(where: { $0 != NATS_OK }) {
        throw NATSConnection.error(status, server)
      }
      var connection: OpaquePointer?
      let status = ConnectionAttempts.first { natsConnection_Connect(&connection, options) }
      guard status == NATS_OK || waits && status == NATS_NOT_YET_CONNECTED, let connection else {
        throw NATSConnection.error(status, server)
      }
      var jetStream: OpaquePointer?
      guard natsConnection_JetStream(&jetStream, connection, nil) == NATS_OK, let jetStream else {
        natsConnection_Destroy(connection)
        throw .refused("out of memory")
      }
      (self.connection, self.jetStream) = (connection, jetStream)
    }

    deinit {
      nonisolated(unsafe) let (connection, jetStream) = (connection, jetStream)
      // Use another thread, because these calls block until the threads of the connection have ended.
      DispatchQueue.global().async {
        natsConnection_Close(connection)
        jsCtx_Destroy(jetStream)
        natsConnection_Destroy(connection)
      }
    }
  }

  private func withConnection<Result>(_ body: (OpaquePointer) -> Result) -> Result {
    let session = state.withLock { $0.session }
    return withExtendedLifetime(session) { body(session.connection) }
  }

  /// Calls `body` with the JetStream context, which exists until `body` returns.
  func withJetStream<Result>(_ body: (OpaquePointer) -> Result) -> Result {
    let session = state.withLock { $0.session }
    return withExtendedLifetime(session) { body(session.jetStream) }
  }

  /// Makes another session, after a delay, if libnats has closed the current one permanently.
  private func renewSession() {
    let delay = state.withLock { state -> Duration? in
      guard reconnects, !state.isRenewing, !state.isEnded else { return nil }
      state.isRenewing = true
      return state.backoff.next()
    }
    guard let delay else { return }
    let time = DispatchTime.now() + .milliseconds(Int(delay / .milliseconds(1)))
    DispatchQueue.global().asyncAfter(deadline: time) { [weak self, server] in
      let session = try? Session(to: server, waits: true, reconnects: true)
      self?.state.withLock { state in
        if let session, !state.isEnded {
          (state.session, state.number) = (session, state.number + 1)
        }
        state.isRenewing = false
      }
    }
  }

  /// Ends the connection and its threads; blocks until they have ended.
  func close() {
    state.withLock { $0.isEnded = true }
    withConnection { natsConnection_Close($0) }
  }

  /// Subscribes to a subject whose messages the server does not store.
  func subscribe(to subject: String, _ subscription: inout OpaquePointer?) -> natsStatus {
    withConnection { natsConnection_SubscribeSync(&subscription, $0, subject) }
  }

  /// Sends a message that the server does not store.
  func publish(_ bytes: [UInt8], on subject: String) throws(LinkError) {
    try requireConnected()
    let status = withConnection {
      natsConnection_Publish($0, subject, bytes, Int32(bytes.count))
    }
    guard status == NATS_OK else { throw error(status) }
  }

  /// Waits until the server has received everything that was sent.
  func flush() throws(LinkError) {
    let status = withConnection { natsConnection_FlushTimeout($0, Self.requestTimeout) }
    guard status == NATS_OK else { throw error(status) }
  }

  private static func setCredentials(
    of server: ServerAddress, _ options: OpaquePointer?
  ) -> natsStatus {
    if let host = server.host { return setCredentials(of: host, options) }
    if server.isEncrypted {
      var status = natsOptions_SetSecure(options, true)
      if status == NATS_OK, !server.certificates.isEmpty {
        status = natsOptions_SetCATrustedCertificates(options, server.certificates)
      }
      guard status == NATS_OK else { return status }
    }
    if !server.user.isEmpty {
      return natsOptions_SetUserInfo(options, server.user, server.password)
    }
    return server.password.isEmpty ? NATS_OK : natsOptions_SetToken(options, server.password)
  }

  private static func setCredentials(of host: GroupHost, _ options: OpaquePointer?) -> natsStatus {
    let statuses = [
      natsOptions_SetSecure(options, true),
      natsOptions_SetCATrustedCertificates(options, host.certificate.text),
      natsOptions_SetExpectedHostname(options, ServerCertificate.name),
      natsOptions_SetNKey(
        options, LoginKey.text(ofPublic: host.login.publicKey),
        { _, signature, count, nonce, seed in
          nats_Sign(seed?.assumingMemoryBound(to: CChar.self), nonce, signature, count)
        }, seedText(of: host.login)),
    ]
    return statuses.first { $0 != NATS_OK } ?? NATS_OK
  }

  /// The texts of seeds.
  ///
  /// They are never released, because libnats uses them when it connects again. A process has one.
  private static let seedTexts = Mutex<[SigningKey: UInt]>([:])

  private static func seedText(of key: SigningKey) -> UnsafeMutableRawPointer? {
    let address = seedTexts.withLock { texts in
      if let address = texts[key] { return address }
      let address = UInt(bitPattern: strdup(LoginKey.text(ofSeed: key.seed)))
      texts[key] = address
      return address
    }
    return UnsafeMutableRawPointer(bitPattern: address)
  }

  /// Whether the server can be reached now.
  ///
  /// If libnats has closed the connection permanently, another one is being made.
  public var isConnected: Bool {
    let status = withConnection { natsConnection_Status($0) }
    if status == NATS_CONN_STATUS_CLOSED { renewSession() }
    return status == NATS_CONN_STATUS_CONNECTED
  }

  /// The time after which an attempt to connect has certainly failed; the timeout of each of its steps is shorter.
  private static let maxAttemptTime = Duration.seconds(60)

  /// Whether libnats makes an attempt to connect that does not end, so that the program must start again.
  public static var isStalled: Bool { ConnectionAttempts.hasOne(longerThan: maxAttemptTime) }

  /// A number that changes with each new connection.
  ///
  /// After that, the server can have lost what it had before.
  var number: UInt64 {
    var (statistics, count): (OpaquePointer?, UInt64) = (nil, 0)
    guard natsStatistics_Create(&statistics) == NATS_OK else { return .max }
    defer { natsStatistics_Destroy(statistics) }
    withConnection { _ = natsConnection_GetStats($0, statistics) }
    natsStatistics_GetCounts(statistics, nil, nil, nil, nil, &count)
    return UInt64(state.withLock { $0.number }) << 32 + count
  }

  /// Throws an error if the server cannot be reached now.
  ///
  /// If the server is unreachable, libnats would queue a message and send it later.
  func requireConnected() throws(LinkError) {
    guard isConnected else { throw .offline(server: server.label) }
  }

  /// Returns the error of a failed call.
  func error(_ status: natsStatus, _ code: jsErrCode = jsErrCode(0)) -> LinkError {
    if status == NATS_MAX_PAYLOAD || code == JSStreamMessageExceedsMaximumErr {
      return .largeMessage(max: Int(withConnection { natsConnection_GetMaxPayload($0) }))
    }
    return Self.error(status, server, code)
  }

  private static func error(
    _ status: natsStatus, _ server: ServerAddress, _ code: jsErrCode = jsErrCode(0)
  ) -> LinkError {
    switch code {
    case JSClusterNotAvailErr, JSClusterNotLeaderErr, JSClusterNotActiveErr,
      JSStreamOfflineErr,
      // The log was moved to another server, as an entry of the group's log says.
      JSStreamSealedErr:
      return .offline(server: server.label)
    case JSAccountResourcesExceededErr, JSInsufficientResourcesErr, JSMemoryResourcesExceededErr,
      JSStorageResourcesExceededErr, JSStreamLimitsErr, JSStreamStoreFailedErr,
      JSStreamMaxStreamBytesExceededErr:
      return .serverFull
    case JSNotEnabledErr, JSNotEnabledForAccountErr: return .noJetStream(server: server.label)
    default: break
    }
    switch status {
    case NATS_TIMEOUT, NATS_NO_SERVER, NATS_CONNECTION_CLOSED, NATS_CONNECTION_DISCONNECTED,
      NATS_STALE_CONNECTION, NATS_IO_ERROR, NATS_NOT_YET_CONNECTED, NATS_INVALID_SUBSCRIPTION,
      NATS_MISSED_HEARTBEAT, NATS_MISMATCH, NATS_SLOW_CONSUMER:
      return .offline(server: server.label)
    case NATS_NO_RESPONDERS: return .noJetStream(server: server.label)
    case NATS_CONNECTION_AUTH_FAILED:
      guard server.host == nil else { return .refusedKey(server: server.label) }
      return .refused("\(server.url) refuses the user or the password")
    case NATS_SECURE_CONNECTION_REQUIRED:
      return .refused("\(server.url) requires TLS (use tls://…)")
    case NATS_SECURE_CONNECTION_WANTED:
      return .refused("\(server.url) does not support TLS")
    case NATS_SSL_ERROR:
      return .refused(
        "\(server.url) has no trusted certificate (to trust another authority: --ca FILE)")
    default:
      let text = natsStatus_GetText(status).map { String(cString: $0) } ?? "error"
      return .refused(code.rawValue == 0 ? text : "\(text) (JetStream error \(code.rawValue))")
    }
  }
}
