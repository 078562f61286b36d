import CDBus
import Files
import Glibc

/// A connection to a message bus, served by an event loop.
///
/// All messages arrive in one place, in the order of the bus: replies go to the callers, signals to
/// the subscribers, calls to the object server. libdbus itself dispatches nothing.
///
/// Unchecked, because it is confined to its loop's thread, and traps on other threads.
public final class Connection: @unchecked Sendable {
  /// The loop that serves the connection.
  public let loop: EventLoop
  /// The unique name that the bus assigned: `:1.42`.
  public let uniqueName: String
  /// Called once, when the connection to the bus is lost; all pending calls have failed before.
  public var onDisconnect: (() -> Void)?
  /// Gets every method call; without it, calls get UnknownObject.
  var onCall: ((Message) -> Void)?
  /// Called in each iteration of the loop after the messages that had arrived, before the loop
  /// waits.
  public var onIterationEnd: (() -> Void)?
  /// Called before each message is handled.
  public var willHandleMessage: (() -> Void)?
  /// Whether the connection reads the socket again when it has handled all messages, before the
  /// iteration ends.
  public var readsAhead = false
  /// Returns how many bytes of replies and signals are kept back before they come here.
  var keptBackByteCount: (() -> Int)?
  /// Called after each message, and in every iteration before the first message.
  ///
  /// The object server sends the property changes that the message has caused.
  var onMessageEnd: (() -> Void)?

  let raw: OpaquePointer
  var pending = PendingCalls()
  var subscriptions: [(id: Int, rule: MatchRule, handler: (Message) -> Void)] = []
  var lastSubscription = 0
  /// Whether the iteration ends with the current message.
  private var isIterationOver = false
  /// Serves the next call that has waited; false if there is none.
  ///
  /// Such calls precede messages that arrive.
  var serveWaitingCall: (() -> Bool)?
  /// The messages that arrived during a blocking call to the bus, in order.
  private var deferred: [Message] = []
  /// The number of iterations so far.
  private(set) var iteration = 0
  private let watches: WatchTable
  let queue: SendQueue
  /// Whether sending is delayed until all arrived messages are handled.
  private var isDraining = false
  private var step = 0
  /// False after `close()`.
  private var isOpen = true
  /// False after `close()`, and when the connection to the bus is lost.
  private(set) var isConnected = true

  /// Connects to the bus at `address`; nil means the session bus, by `DBUS_SESSION_BUS_ADDRESS` and
  /// the specification.
  ///
  /// The thread waits for the bus's first answer, a fraction of a millisecond.
  ///
  /// - Throws: the error of the bus or the socket, with the bus's error name.
  public init(to address: String? = nil, on loop: EventLoop) throws(DBusError) {
    raw = try Self.open(address)
    dbus_connection_set_exit_on_disconnect(raw, 0)
    // The limit for descriptors of unhandled messages; above it libdbus stops reading.
    dbus_connection_set_max_received_unix_fds(raw, max(16, DescriptorTable.limit / 8))
    self.loop = loop
    uniqueName = dbus_bus_get_unique_name(raw).map { String(cString: $0) } ?? ""
    watches = WatchTable(loop)
    queue = SendQueue(try Self.socket(of: raw), loop)
    watches.attach(to: raw)
    step = loop.addStep { [unowned self] in drain() }
  }

  deinit {
    close()
    dbus_connection_unref(raw)
  }

  private static func open(_ address: String?) throws(DBusError) -> OpaquePointer {
    guard let address else {
      return try opened { error in dbus_bus_get_private(DBUS_BUS_SESSION, error) }
    }
    let raw = try opened { error in dbus_connection_open_private(address, error) }
    do throws(DBusError) {
      _ = try LibraryError.check { error in dbus_bus_register(raw, error) }
      return raw
    } catch {
      dbus_connection_close(raw)
      dbus_connection_unref(raw)
      throw error
    }
  }

  /// Returns a duplicate of the connection's socket, which can be watched separately.
  private static func socket(of raw: OpaquePointer) throws(DBusError) -> FileDescriptor {
    var number: Int32 = -1
    dbus_connection_get_unix_fd(raw, &number)
    let socket = FileDescriptor(adopting: fcntl(number, F_DUPFD_CLOEXEC, 0))
    guard socket.number >= 0 else {
      dbus_connection_close(raw)
      dbus_connection_unref(raw)
      throw DBusError(.limitsExceeded, "no file descriptor is left for a connection")
    }
    return socket
  }

  private static func opened(
    _ body: (UnsafeMutablePointer<CDBus.DBusError>) -> OpaquePointer?
  ) throws(DBusError) -> OpaquePointer {
    guard let raw = try LibraryError.check(body) else {
      throw DBusError(.noServer, "no connection to the bus")
    }
    return raw
  }

  /// The timeout for a bus that accepts no bytes while all messages must be sent: in `close()`, and
  /// before a name is requested or released.
  ///
  /// Then the connection ends.
  public var sendTimeout: Duration {
    get { queue.timeout }
    set { queue.timeout = newValue }
  }

  /// Sends the remaining messages and leaves the bus; pending calls fail with `disconnected`, and
  /// no further message is handled.
  public func close() {
    guard isOpen else { return }
    queue.finish()
    isOpen = false
    isConnected = false
    subscriptions = []
    queue.close()
    watches.detach(from: raw)
    loop.removeStep(step)
    dbus_connection_close(raw)
    failPending()
  }

  // MARK: Sending

  /// Sends a message.
  ///
  /// Drops the message if the bus is gone or would not carry it.
  public func send(_ message: OutgoingMessage) {
    loop.checkConfinement()
    transmit(message)
  }

  /// Sends messages in order.
  ///
  /// Drops them if the bus is gone.
  public func send(_ messages: [OutgoingMessage]) {
    loop.checkConfinement()
    guard isConnected else { return }
    for message in messages where !message.body.isTooLarge { queue.append(message) }
    flushUnlessDraining()
  }

  /// Writes what was sent to the socket now, also while other messages are handled.
  public func flush() {
    loop.checkConfinement()
    queue.flush()
  }

  /// Sends a message.
  ///
  /// - Returns: its number; 0 if the bus is gone.
  @discardableResult
  func transmit(_ message: OutgoingMessage) -> UInt32 {
    guard isConnected, !message.body.isTooLarge else { return 0 }
    let serial = queue.append(message)
    flushUnlessDraining()
    return serial
  }

  /// Delays messages that are sent while others are handled, to send them together, up to a size.
  func flushUnlessDraining() {
    if !isDraining || queue.byteCount > Self.maxDelayedBytes { queue.flush() }
  }

  /// Sends a call; `reply` is called exactly once, on the loop's thread, unless the call is
  /// cancelled.
  ///
  /// If the connection is lost, `reply` gets `disconnected` at once. If the bus would reject the
  /// call, it gets `limitsExceeded`.
  ///
  /// - Parameters:
  ///   - call: a method call that was not sent before.
  ///   - timeout: after which `reply` gets `noReply`; nil for none.
  ///   - reply: gets the answer.
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
        self?.pending.remove(serial)?.reply(.failure(DBusError(.noReply, message)))
      }
    }
    let destination = call.header.destination.map(BusName.init(unchecked:))
    let answerer = destination.flatMap { $0.isUnique || $0 == .bus ? $0.text : nil }
    pending.add(serial, PendingCalls.Entry(answerer: answerer, timer: timer, reply: reply))
    if !isConnected { failPending() }
    return PendingCall(serial: serial)
  }

  /// Cancels a call, unless it was answered: a later reply is dropped.
  public func cancel(_ call: PendingCall) {
    loop.checkConfinement()
    if let timer = pending.remove(call.serial)?.timer { loop.cancel(timer) }
  }

  // MARK: Receiving

  /// Ends the iteration after the current message: `onIterationEnd` is called before the next
  /// message is handled.
  public func endIteration() { isIterationOver = true }

  /// The maximum number of messages per iteration.
  private static let maxMessagesPerIteration = 1_024
  /// The maximum number of bytes whose sending is delayed while messages are handled.
  private static let maxDelayedBytes = 64 << 10
  /// No message is read while more bytes than this wait to be sent: small calls must not accumulate
  /// large answers.
  private static let maxBacklog = 64 << 20

  /// The number of bytes that wait to be sent, including replies and signals that the object
  /// server's sink holds back.
  public var backlog: Int { queue.byteCount + (keptBackByteCount?() ?? 0) }

  private var isBackedUp: Bool { backlog > Self.maxBacklog }

  /// Serves the next call that has waited, or handles the next message; false if there is neither.
  private func handleNext() -> Bool {
    if let serveWaitingCall, serveWaitingCall() { return true }
    guard let message = deferred.isEmpty ? popMessage() : deferred.removeFirst() else {
      return false
    }
    receive(message)
    return true
  }

  private func popMessage() -> Message? {
    dbus_connection_pop_message(raw).map { Message(adopting: $0) }
  }

  /// Handles the arrived messages; returns whether more are waiting.
  private func drain() -> Bool {
    isDraining = true
    defer {
      isDraining = false
      queue.flush()
    }
    var room = Self.maxMessagesPerIteration
    isIterationOver = false
    iteration += 1
    onMessageEnd?()
    repeat {
      while isOpen, !isIterationOver, room > 0, !isBackedUp, handleNext() {
        onMessageEnd?()
        room -= 1
      }
    } while isOpen && !isIterationOver && room > 0 && readsAhead && !isBackedUp && readMore()
    // Evaluated before the end of the iteration, which may empty the backlog: then no descriptor
    // would report the waiting messages.
    let isCutShort = isIterationOver || room == 0 || isBackedUp
    // Ready messages do not wait for a disk.
    queue.flush()
    if isOpen { onIterationEnd?() }
    return isOpen && isCutShort && !isBackedUp
  }

  /// Reads messages that have arrived meanwhile.
  private func readMore() -> Bool {
    dbus_connection_read_write(raw, 0)
    return dbus_connection_get_dispatch_status(raw) == DBUS_DISPATCH_DATA_REMAINS
  }

  /// The timeout of a call to the bus, as in libdbus.
  private static let busTimeout = Duration.seconds(25)

  /// Reads on this thread until the answer to a call to the bus is handled, or the time is over.
  ///
  /// Other messages that arrive are handled later, in order.
  func receive(untilAnswerTo call: PendingCall) {
    defer { loop.wakeUp() }
    let deadline = ContinuousClock.now + Self.busTimeout
    while true {
      while let message = popMessage() {
        guard message.replySerial != call.serial || message.sender != BusName.bus.text else {
          return receive(message)
        }
        deferred.append(message)
      }
      let milliseconds = Int32((deadline - .now) / .milliseconds(1))
      guard milliseconds > 0, dbus_connection_read_write(raw, milliseconds) != 0 else { return }
    }
  }

  /// Ends the previous message and begins another one, or a call that has waited.
  func beginMessage() {
    onMessageEnd?()
    willHandleMessage?()
  }

  private func receive(_ message: Message) {
    beginMessage()
    switch message.kind {
    case .methodCall: receiveCall(message)
    case .methodReturn: receiveReply(message, .success(message))
    case .error:
      receiveReply(message, .failure(message.error ?? DBusError(.failed, "an unnamed error")))
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

  private func receiveReply(_ message: Message, _ result: Result<Message, DBusError>) {
    guard let call = pending.remove(answeredBy: message) else { return }
    if let timer = call.timer { loop.cancel(timer) }
    call.reply(result)
  }

  private func receiveSignal(_ signal: Message) {
    if signal.sender == nil, signal.path == DBUS_PATH_LOCAL, signal.member == "Disconnected" {
      isConnected = false
      queue.close()
      failPending()
      onDisconnect?()
      return
    }
    for subscription in subscriptions
    where subscription.rule.matches(signal) && isSubscribed(subscription.id) {
      subscription.handler(signal)
    }
  }

  private func failPending() {
    for call in pending.removeAll() {
      if let timer = call.timer { loop.cancel(timer) }
      call.reply(.failure(DBusError(.disconnected, "the connection to the bus is lost")))
    }
  }
}
