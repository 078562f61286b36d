/// The pending reply to a call, which is sent once, with `send` or `refuse`.
///
/// A reply can be stored for any time. If it is released before it was sent, the caller receives
/// the error `failed`, so that the caller does not wait forever. Later replies to the call are
/// ignored. A reply is confined to the connection's loop.
public struct Reply<each Output: BusValue> {
  @usableFromInline let call: UnansweredCall

  @usableFromInline let types: Signature

  @usableFromInline init(to call: Call, _ types: Signature) {
    self.call = UnansweredCall(call)
    self.types = types
  }

  /// Replies with these values.
  @inlinable
  public func send(_ output: repeat each Output) {
    call.server.answer(call, types) { writer in repeat (each output).write(to: &writer) }
  }

  /// Replies with an error.
  public func refuse(_ error: DBusError) { call.refuse(error) }
}

struct ReplyAddress {
  let serial: UInt32
  let caller: String?
  /// The caller, whose unread answers include the reply; nil if the reply is not counted.
  let client: ClientQueue?

  /// Creates the address of the reply to a call; nil if the caller expects none.
  init?(_ call: Message, from client: ClientQueue?) {
    guard call.expectsReply else { return nil }
    (serial, caller, self.client) = (call.serial, call.sender, client)
  }
}

/// An unanswered call, without its message, which may be large.
@usableFromInline
final class UnansweredCall {
  @usableFromInline let server: ObjectServer
  private let address: ReplyAddress?
  private var isAnswered = false

  init(_ call: Call) { (server, address) = (call.server, call.replyAddress) }

  deinit { refuse(DBusError(.failed, "call: the service has dropped it without a reply")) }

  func refuse(_ error: DBusError) {
    guard let address = take() else { return }
    server.refuse(address, with: error)
  }

  /// Returns the address at the first call; nil at later calls, or if the caller expects no reply.
  func take() -> ReplyAddress? {
    guard !isAnswered else { return nil }
    isAnswered = true
    return address
  }
}
