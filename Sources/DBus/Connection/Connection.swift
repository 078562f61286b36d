import CDBus

/// A connection to a message bus, served by an event loop.
///
/// Messages are handled in the order in which the bus sends them. Replies are passed to the
/// callers, signals to the subscribers, and calls to the object server.
///
/// `Sendable` is unchecked, because a connection is confined to its loop's thread and traps on
/// other threads.
public final class Connection: @unchecked Sendable {
  /// The loop that serves the connection.
  public let loop: EventLoop
  /// The unique name that the bus assigned: `:1.42`.
  public let uniqueName: String
  /// Called once, when the connection to the bus is lost; all pending calls have failed before.
  public var onDisconnect: (() -> Void)?
  /// Called with every method call; if nil, calls are refused with UnknownObject.
  var onCall: ((Message) -> Void)?
  /// Called in each iteration, after the arrived messages are handled and before the loop waits.
  ///
  /// An object server sets this function, to send property changes. A function that replaces it must
  /// call the server's `flushChanges()`.
  public var onIterationEnd: (() -> Void)?
  /// Called before each message or waiting call is handled.
  public var willHandleMessage: (() -> Void)?
  /// Whether the connection, after handling all messages, reads the socket again in the same
  /// iteration.
  public var readsAhead = false
  /// The replies and signals that the object server has not sent.
  var outbox: Outbox?

  private let received: ReceiveQueue
  let queue: SendQueue
  var pending: PendingCalls
  var subscriptions: [(id: Int, rule: MatchRule, handler: (Message) -> Void)] = []
  var lastSubscription = 0
  /// Whether the iteration ends with the current message.
  private var isIterationOver = false
  /// The calls that wait until they are served; nil if calls are served when they arrive.
  private weak var admission: Admission?
  private var step = 0
  /// False after `close()`.
  private var isOpen = true
  /// False after `close()`, and when the connection to the bus is lost.
  private(set) var isConnected = true

  /// Connects to the bus at `address`; nil means the session bus.
  ///
  /// libdbus finds the session bus by `DBUS_SESSION_BUS_ADDRESS`, as the D-Bus specification
  /// requires.
  ///
  /// Blocks the thread until the first answer of the bus, for a fraction of a millisecond.
  ///
  /// - Throws: the error of the bus or of the socket if the connection fails, with its error name.
  public init(to address: String? = nil, on loop: EventLoop) throws(DBusError) {
    self.loop = loop
    received = try ReceiveQueue(to: address, on: loop)
    queue = SendQueue(try received.socket(), loop)
    pending = PendingCalls(loop)
    uniqueName = received.uniqueName
    step = loop.addStep { [unowned self] in drain() }
  }

  deinit { close() }

  /// Sends the remaining messages and leaves the bus; pending calls fail with `disconnected`, and
  /// no further message is handled.
  public func close() {
    guard isOpen else { return }
    queue.finish()
    isOpen = false
    isConnected = false
    subscriptions = []
    queue.close()
    received.close()
    loop.removeStep(step)
    failPending()
  }

  // MARK: Sending

  /// Sends a message.
  ///
  /// Drops the message if the connection is lost, or if the message is too large for the bus.
  public func send(_ message: OutgoingMessage) {
    loop.checkConfinement()
    transmit(message)
  }

  /// Sends messages in order.
  ///
  /// Drops all messages if the connection is lost, and each message that is too large for the bus.
  public func send(_ messages: [OutgoingMessage]) {
    loop.checkConfinement()
    guard isConnected else { return }
    for message in messages where !message.body.isTooLarge { queue.append(message) }
    queue.flushUnlessDelayed()
  }

  /// Writes the queued messages to the socket now, even while sending is delayed.
  public func flush() {
    loop.checkConfinement()
    queue.flush()
  }

  /// Sends a message.
  ///
  /// - Returns: the serial of the message; 0 if the message was dropped.
  @discardableResult
  func transmit(_ message: OutgoingMessage) -> UInt32 {
    guard isConnected, !message.body.isTooLarge else { return 0 }
    let serial = queue.append(message)
    queue.flushUnlessDelayed()
    return serial
  }

  /// Sends a call; `reply` is called exactly once, on the loop's thread, unless the call is
  /// cancelled.
  ///
  /// If the connection is lost, `reply` gets `disconnected` at once. If the bus would reject the
  /// call, `reply` gets `limitsExceeded`.
  ///
  /// - Parameters:
  ///   - call: a method call that was not sent before.
  ///   - timeout: the time after which `reply` gets `noReply`; nil for no timeout.
  ///   - reply: called with the answer or the error.
  /// - Returns: a handle to cancel the call.
  @discardableResult
  public func send(
    _ call: OutgoingMessage, timeout: Duration? = .seconds(25),
    reply: @escaping (Result<Message, DBusError>) -> Void
  ) -> PendingCall {
    loop.checkConfinement()
    if let refusal = call.refusal {
      reply(.failure(refusal))
      return PendingCall(serial: 0)
    }
    let serial = transmit(call)
    let timer = timeout.map { timeout in
      loop.schedule(after: timeout) { [weak self] in
        let message = "no reply came within \(timeout)"
        self?.pending.remove(serial)?(.failure(DBusError(.noReply, message)))
      }
    }
    pending.add(serial, to: call.header.destination, timer, reply)
    if !isConnected { failPending() }
    return PendingCall(serial: serial)
  }

  /// Cancels a call that has no answer yet; a later reply is dropped.
  public func cancel(_ call: PendingCall) {
    loop.checkConfinement()
    _ = pending.remove(call.serial)
  }

  // MARK: Receiving

  /// Ends the iteration after the current message: `onIterationEnd` is called before the next
  /// message is handled.
  public func endIteration() { isIterationOver = true }

  /// The maximum number of messages per iteration.
  private static let maxMessagesPerIteration = 1_024
  /// The number of bytes waiting to be sent above which no message is read.
  ///
  /// Without this limit, small calls could accumulate large answers.
  private static let maxBacklog = 64 << 20

  /// The number of bytes that wait to be sent, including the messages in the outbox.
  public var backlog: Int { queue.byteCount + (outbox?.byteCount ?? 0) }

  /// The number of bytes that have been sent.
  var sentByteCount: Int { queue.appendedByteCount - queue.byteCount }

  /// The number of sent bytes that the bus has not read, as the kernel counts them.
  var socketByteCount: Int { received.unreadSentByteCount }

  private var isBackedUp: Bool { backlog > Self.maxBacklog }

  /// The time after which an iteration ends, in nanoseconds.
  package var maxIterationTime = 8_000_000
  /// The time after which the socket is read again while calls or timers wait, and the time of reading,
  /// in nanoseconds.
  ///
  /// Reading may also last as long as everything since the last reading, at most `maxReadTime`. So a
  /// call behind a large message does not wait for many turns.
  private static let readInterval = 250_000
  private static let readTime = 4_000_000
  private static let maxReadTime = 50_000_000
  /// The time of the last reading while calls or timers waited.
  private var latestRead = 0

  /// Passes calls to `admission`, which lets them wait.
  func letMessagesWait(until admission: Admission) {
    self.admission = admission
    received.readWhileMessagesWait()
  }

  /// Handles the arrived messages; returns whether more are waiting.
  private func drain() -> Bool {
    queue.isDelayed = true
    defer {
      queue.isDelayed = false
      queue.flush()
    }
    isIterationOver = false
    var iteration = Iteration(maxTime: maxIterationTime)
    repeat {
      while isOpen {
        receiveAll(in: &iteration)
        if let admission, admission.hasTurns || loop.hasDueTimers { readAhead(in: &iteration) }
        iteration.isCutShort = isIterationOver || isBackedUp || iteration.isLong
        guard !iteration.isCutShort, let admission, admission.serveNext() else { break }
        iteration.room -= 1
      }
    } while isOpen && !iteration.isCutShort && readsAhead && received.readMore()
    // `onIterationEnd` may wait for a disk. So messages that are ready are sent before.
    queue.flush()
    if isOpen, let onIterationEnd {
      if let admission { admission.endIteration(onIterationEnd) } else { onIterationEnd() }
    }
    queue.flush()
    // After an iteration that was cut short, messages may be left in memory, and no descriptor
    // reports them. So the loop must not wait.
    guard isOpen, !isBackedUp else { return false }
    return iteration.isCutShort || admission?.canServe ?? false
  }

  /// The progress of an iteration.
  private struct Iteration {
    /// The number of messages and turns for which there is room.
    var room = maxMessagesPerIteration
    var isCutShort = false
    private let end: Int

    init(maxTime: Int) { end = MonotonicTime.now + maxTime }

    /// Whether the iteration has handled many messages, or lasts long for the timers, the results of
    /// other threads, and the clients that wait for its end.
    var isLong: Bool { room <= 0 || MonotonicTime.now > end }
  }

  /// Handles all messages that were received, except calls that must wait.
  private func receiveAll(in iteration: inout Iteration) {
    while isOpen, !isIterationOver, iteration.room > 0, let message = received.next() {
      if message.kind != .methodCall, let admission, admission.serveFirst() {
        received.putBack(message)
        iteration.room -= 1
        continue
      }
      receive(message)
      if admission == nil { iteration.room -= 1 }
    }
  }

  /// Reads all calls that have arrived, because the call that is served next depends on them, and
  /// because a step of a timer may be long.
  ///
  /// Sends the replies so far, because the next turns may be long.
  private func readAhead(in iteration: inout Iteration) {
    let now = MonotonicTime.now
    let pause = now - latestRead
    guard pause > Self.readInterval else { return }
    defer { latestRead = MonotonicTime.now }
    let end = now + max(Self.readTime, min(pause, Self.maxReadTime))
    queue.flush()
    // A read returns few bytes. So a message behind a large message needs many reads.
    while isOpen, !isIterationOver, received.hasUnreadBytes {
      if received.readMore() { receiveAll(in: &iteration) }
      if MonotonicTime.now > end { break }
    }
  }

  /// Waits on this thread until the bus has answered a call, and handles the answer.
  func receiveAnswer(to call: PendingCall) {
    if let answer = received.waitForAnswer(to: call) { receive(answer) }
    loop.wakeUp()
  }

  private func receive(_ message: Message) {
    if let admission {
      if message.kind == .methodCall { return admission.receive(message) }
      if admission.keep(message) { return }
    }
    handle(message)
  }

  /// Handles a message, unless it is a call that the admission serves.
  func handle(_ message: Message) {
    willHandleMessage?()
    switch message.kind {
    case .methodCall: receiveCall(message)
    case .methodReturn: pending.remove(answeredBy: message)?(.success(message))
    case .error:
      let error = message.error ?? DBusError(.failed, "an unnamed error")
      pending.remove(answeredBy: message)?(.failure(error))
    case .signal: receiveSignal(message)
    case nil: break
    }
  }

  private func receiveCall(_ call: Message) {
    if let onCall { return onCall(call) }
    guard call.expectsReply else { return }
    let error = DBusError(.unknownObject, "this connection exports no object")
    send(.refusal(of: call, with: error))
  }

  private func receiveSignal(_ signal: Message) {
    if signal.sender == nil, signal.path == DBUS_PATH_LOCAL, signal.member == "Disconnected" {
      isConnected = false
      queue.close()
      failPending()
      onDisconnect?()
      return
    }
    for (id, rule, handler) in subscriptions where rule.matches(signal) {
      // An earlier handler may have ended this subscription.
      if isSubscribed(id) { handler(signal) }
    }
  }

  private func failPending() {
    for reply in pending.removeAll() {
      reply(.failure(DBusError(.disconnected, "the connection to the bus is lost")))
    }
  }
}
