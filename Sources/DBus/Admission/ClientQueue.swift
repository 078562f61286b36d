/// The result of identifying a client.
public struct Identity {
  /// The server's own description of the client.
  public let value: AnyObject
  /// The sandbox whose connections share quotas; nil if the client is not in a sandbox.
  public let sandbox: String?
  /// The time for which the identity is valid; nil if it does not expire.
  public let validity: Duration?

  /// Creates an identity.
  public init(_ value: AnyObject, sandbox: String? = nil, validFor validity: Duration? = nil) {
    (self.value, self.sandbox, self.validity) = (value, sandbox, validity)
  }
}

/// A calling connection: its identity, its waiting calls in order, and its unread answers.
public final class ClientQueue {
  /// The reason why the first call waits.
  enum Gate {
    /// The call does not wait.
    case open
    /// The client is being identified.
    case identifying
    /// The client has not read its answers.
    case unread
  }

  private struct WaitingCall {
    let message: Message
    /// The charge for waiting; nil for the signal that the client has left.
    let charge: (quota: Quota, cost: Cost, holder: Quota.Holder)?
  }

  /// The unique name of the connection.
  public let name: String
  /// Nil until the client is identified.
  private(set) var identity: Identity?
  private var expiry: ContinuousClock.Instant?
  /// The reason why the first call waits; open if it waits only for its turn.
  var gate = Gate.open
  var unread = UnreadAnswers.ClientState()
  /// The clients with which this client takes turns.
  private(set) var turnHolder = TurnHolder()
  /// Whether the client is in the list of its holder's ready clients.
  var isReady = false
  private var calls: [WaitingCall] = []

  init(_ name: String) { self.name = name }

  deinit { turnHolder.unreadByteCount -= unread.byteCount }

  // MARK: Identity

  var isIdentified: Bool { identity != nil && (expiry.map { .now < $0 } ?? true) }

  /// The quota holder to which this client's calls are charged.
  public var holder: Quota.Holder {
    Quota.Holder(connection: name, sandbox: identity?.sandbox)
  }

  /// Sets the identity, and the clients with which this client takes turns from now on.
  func setIdentity(_ identity: Identity, sharing turnHolder: TurnHolder) {
    self.identity = identity
    expiry = identity.validity.map { .now + $0 }
    self.turnHolder.unreadByteCount -= unread.byteCount
    turnHolder.unreadByteCount += unread.byteCount
    self.turnHolder = turnHolder
  }

  /// The number of long calls of this client that have not ended.
  var longCallCount = 0

  /// Whether a call waits or is continued, or the bus is asked for the unread answers.
  var isInUse: Bool { isWaiting || longCallCount > 0 || unread.isAsking }

  // MARK: Waiting calls

  var isWaiting: Bool { !calls.isEmpty }

  /// Appends a call.
  ///
  /// A call with file descriptors is copied, because libdbus stops reading while the messages that it
  /// has received have too many descriptors.
  ///
  /// - Throws: LimitsExceeded if the quota has no room, or if no descriptor is free to duplicate a
  ///   descriptor of the call.
  func append(_ call: Message, charging quota: Quota) throws(DBusError) {
    let (cost, holder) = (Cost(ofKeeping: call), holder)
    try quota.check(cost, for: holder)
    let kept = call.bearsDescriptors ? try call.copyToKeep() : call
    try quota.charge(cost, to: holder)
    calls.append(WaitingCall(message: kept, charge: (quota, cost, holder)))
  }

  /// Appends the signal that the client has left.
  func append(_ departure: Message) { calls.append(WaitingCall(message: departure, charge: nil)) }

  /// Whether the first waiting call has file descriptors.
  var firstBearsDescriptors: Bool { calls.first?.message.bearsDescriptors ?? false }

  /// Removes the first waiting call and releases its cost.
  func takeFirst() -> Message? {
    guard !calls.isEmpty else { return nil }
    let call = calls.removeFirst()
    if let (quota, cost, holder) = call.charge { quota.release(cost, from: holder) }
    return call.message
  }
}
