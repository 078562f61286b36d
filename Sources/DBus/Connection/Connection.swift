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
  /// Serves the next waiting call; returns false if no call waits.
  ///
  /// Waiting calls are served before messages that arrive.
  var serveWaitingCall: (() -> Bool)?
  /// The number of iterations so far.
  private(set) var iteration = 0
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

  private var isBackedUp: Bool { backlog > Self.maxBacklog }

  /// Serves the next waiting call, or handles the next message; returns false if there is neither.
  private func handleNext() -> Bool {
    if let serveWaitingCall, serveWaitingCall() { return true }
    guard let message = received.next() else { return false }
    receive(message)
    return true
  }

  /// Handles the arrived messages; returns whether more are waiting.
  private func drain() -> Bool {
    queue.isDelayed = true
    defer {
      queue.isDelayed = false
      queue.flush()
    }
    var room = Self.maxMessagesPerIteration
    var isCutShort = false
    isIterationOver = false
    iteration += 1
    repeat {
      while isOpen {
        isCutShort = isIterationOver || room == 0 || isBackedUp
        guard !isCutShort, handleNext() else { break }
        room -= 1
      }
    } while isOpen && !isCutShort && readsAhead && received.readMore()
    // `onIterationEnd` may wait for a disk. So messages that are ready are sent before.
    queue.flush()
    if isOpen { onIterationEnd?() }
    // After an iteration that was cut short, messages may be left in memory, and no descriptor
    // reports them. So the loop must not wait.
    return isOpen && isCutShort && !isBackedUp
  }

  /// Waits on this thread until the bus has answered a call, and handles the answer.
  func receiveAnswer(to call: PendingCall) {
    if let answer = received.waitForAnswer(to: call) { receive(answer) }
    loop.wakeUp()
  }

  private func receive(_ message: Message) {
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
