/// The pending reply to a call, to be sent once with `send` or `refuse`.
///
/// A reply can be stored for any time. If it is released unsent, the caller gets the error
/// `failed`, so that it does not wait forever. Further replies are ignored. Confined to the
/// connection's loop.
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

  deinit { refuse(DBusError(.failed, "the call was dropped without an answer")) }

  func refuse(_ error: DBusError) {
    guard let address = take() else { return }
    server.refuse(address, with: error)
  }

  /// Returns the address once; later, or if the caller expects no reply, returns nil.
  func take() -> ReplyAddress? {
    guard !isAnswered else { return nil }
    isAnswered = true
    return address
  }
}
