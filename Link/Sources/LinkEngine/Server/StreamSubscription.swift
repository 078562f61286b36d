internal import CNATS
internal import Dispatch

/// The messages of a stream from a number on, in the order in which the server sends them.
///
/// The server numbers the messages of a subscription, and libnats detects lost messages and missing
/// heartbeats. In both cases the subscription and its connection end, and the `LogReader` creates a
/// new subscription.
///
/// Each subscription has its own connection. If a message arrives during the destruction of a
/// subscription, libnats before 3.6 uses the destroyed subscription. After the connection is
/// closed, no message arrives.
///
/// Source: https://github.com/nats-io/nats.c/pull/638
final class StreamSubscription: Sendable {
  private static let heartbeat: Int64 = 5_000_000_000

  private let connection: NATSConnection
  nonisolated(unsafe) private let subscription: OpaquePointer

  /// Subscribes; blocks until the server has answered.
  init(
    to stream: Stream, subject: String, from number: UInt64, headersOnly: Bool = false
  ) throws(LinkError) {
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
    options.Config.HeadersOnly = headersOnly
    var (subscription, code): (OpaquePointer?, jsErrCode) = (nil, jsErrCode(0))
    let status = stream.name.withCString { name in
      options.Stream = name
      return connection.withJetStream {
        js_SubscribeSync(&subscription, $0, subject, nil, &options, &code)
      }
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

  /// Returns the next message.
  ///
  /// - Parameter waits: whether to wait for a message that has not arrived yet.
  /// - Returns: the message; nil if none has arrived before the timeout.
  /// - Throws: `LinkError.offline` after the end of the subscription.
  func next(waits: Bool) throws(LinkError) -> NATSMessage? {
    try next(waits: waits) { message, data in
      NATSMessage(number: data.Sequence.Stream, bytes: NATSMessage.bytes(of: message))
    }
  }

  /// Waits for the next message, with the parameter and errors of `next(waits:)`, and returns the
  /// value that `body` returns for the message.
  func next<Value>(
    waits: Bool, _ body: (OpaquePointer, jsMsgMetaData) -> Value
  ) throws(LinkError) -> Value? {
    try NATSMessage.receive(from: subscription, of: connection, waits: waits) {
      (message) throws(LinkError) in
      var data: UnsafeMutablePointer<jsMsgMetaData>?
      defer { jsMsgMetaData_Destroy(data) }
      guard natsMsg_GetMetaData(&data, message) == NATS_OK, let data else {
        throw .refused("a message of the stream has no number")
      }
      return body(message, data.pointee)
    }
  }

  /// Ends the subscription; a waiting `next` throws an error.
  func cancel() { DispatchQueue.global().async { self.connection.close() } }
}
