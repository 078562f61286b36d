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
    /// The client sends many calls, and the pacer has not granted the call.
    case paced
    /// The client has not read its answers.
    case unread
  }

  private struct WaitingCall {
    let message: Message
    let cost: Cost
    let quota: Quota?
    let holder: Quota.Holder
  }

  /// The unique name of the connection.
  public let name: String
  /// Nil until the client is identified.
  private(set) var identity: Identity?
  private var expiry: ContinuousClock.Instant?
  /// The reason why the first call waits; open if it does not wait.
  var gate = Gate.open
  var pace = Pacer.ClientState()
  var unread = UnreadAnswers.ClientState()
  /// The number of waiting calls that the pacer has granted.
  private(set) var granted = 0
  private var calls: [WaitingCall] = []

  init(_ name: String) { self.name = name }

  // MARK: Identity

  var isIdentified: Bool { identity != nil && (expiry.map { .now < $0 } ?? true) }

  /// The quota holder to which this client's calls are charged.
  public var holder: Quota.Holder {
    Quota.Holder(connection: name, sandbox: identity?.sandbox)
  }

  func setIdentity(_ identity: Identity) {
    self.identity = identity
    expiry = identity.validity.map { .now + $0 }
  }

  // MARK: Waiting calls

  var isWaiting: Bool { !calls.isEmpty }

  /// Appends a copy of a call.
  ///
  /// - Throws: LimitsExceeded if the quota has no room, or if no descriptor is free to duplicate a
  ///   descriptor of the call.
  func append(_ call: Message, charging quota: Quota) throws(DBusError) {
    let (cost, holder) = (Cost(calls: 1, bytes: call.byteCountToKeep), holder)
    try quota.check(cost, for: holder)
    let copy = try call.copyToKeep()
    try quota.charge(cost, to: holder)
    calls.append(WaitingCall(message: copy, cost: cost, quota: quota, holder: holder))
  }

  /// Appends a call without charging a quota, and grants all waiting calls.
  ///
  /// The call is served before the next message is read.
  func appendAndGrantAll(_ call: Message) {
    calls.append(WaitingCall(message: call, cost: Cost(), quota: nil, holder: holder))
    grantAll()
  }

  func grant(_ count: Int) { granted = min(calls.count, granted + count) }

  func grantAll() { granted = calls.count }

  /// Whether the first waiting call has file descriptors.
  var firstBearsDescriptors: Bool { calls.first?.message.bearsDescriptors ?? false }

  /// Removes the first waiting call and releases its cost.
  func takeFirst() -> Message? {
    guard !calls.isEmpty else { return nil }
    let call = calls.removeFirst()
    call.quota?.release(call.cost, from: call.holder)
    granted = max(0, granted - 1)
    return call.message
  }
}
