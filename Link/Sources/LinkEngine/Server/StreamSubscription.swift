internal import CNATS
internal import Dispatch
internal import Synchronization

/// The messages of a stream from a number, as the server sends them.
///
/// The server numbers the messages of a subscription, and libnats notices lost ones and missing
/// heartbeats. The subscription ends then, and with its connection; its reader makes a new one.
///
/// A subscription has a connection of its own. libnats before 3.6 uses a destroyed subscription if one
/// of its messages arrives at that moment. After the connection was closed, no message arrives.
///
/// Source: https://github.com/nats-io/nats.c/pull/638
final class StreamSubscription: Sendable {
  private static let heartbeat: Int64 = 5_000_000_000
  private static let wait: Int64 = 60_000

  private let connection: NATSConnection
  nonisolated(unsafe) private let subscription: OpaquePointer
  private let isCancelled = Mutex(false)

  /// Subscribes; blocks until the server has answered.
  init(to stream: Stream, subject: String, from number: UInt64) throws(LinkError) {
    let connection = try NATSConnection(
      to: stream.connection.server, waits: false, reconnects: false)
    self.connection = connection
    var options = jsSubOptions()
    jsSubOptions_Init(&options)
    options.Config.DeliverPolicy = js_DeliverByStartSequence
    options.Config.OptStartSeq = number
    options.Config.AckPolicy = js_AckNone
    options.Config.FlowControl = true
    options.Config.Heartbeat = Self.heartbeat
    options.Config.MemoryStorage = true
    var (subscription, code): (OpaquePointer?, jsErrCode) = (nil, jsErrCode(0))
    let status = stream.name.withCString { name in
      options.Stream = name
      return js_SubscribeSync(
        &subscription, connection.jetStream, subject, nil, &options, &code)
    }
    guard status == NATS_OK, let subscription else { throw connection.error(status, code) }
    self.subscription = subscription
  }

  deinit {
    nonisolated(unsafe) let subscription = subscription
    let connection = connection
    DispatchQueue.global().async {
      connection.close()
      natsSubscription_Destroy(subscription)
    }
  }

  /// Returns the next message; blocks until it arrives.
  ///
  /// - Parameter waits: whether to wait for a message that has not arrived yet.
  /// - Returns: nil if no message has arrived.
  /// - Throws: `LinkError.offline` after the end of the subscription.
  func next(waits: Bool) throws(LinkError) -> NATSMessage? {
    var message: OpaquePointer?
    let status = natsSubscription_NextMsg(&message, subscription, waits ? Self.wait : 1)
    defer { natsMsg_Destroy(message) }
    if isCancelled.withLock({ $0 }) { throw .offline(server: connection.server.url) }
    if status == NATS_TIMEOUT { return nil }
    guard status == NATS_OK, let message else { throw connection.error(status) }
    var data: UnsafeMutablePointer<jsMsgMetaData>?
    defer { jsMsgMetaData_Destroy(data) }
    guard natsMsg_GetMetaData(&data, message) == NATS_OK, let data else {
      throw .refused("a message of the stream has no number")
    }
    return NATSMessage(
      number: data.pointee.Sequence.Stream, bytes: NATSMessage.bytes(of: message))
  }

  /// Ends the subscription: a waiting `next` throws.
  func cancel() {
    let wasCancelled = isCancelled.withLock { isCancelled in
      defer { isCancelled = true }
      return isCancelled
    }
    guard !wasCancelled else { return }
    DispatchQueue.global().async { self.connection.close() }
  }
}
