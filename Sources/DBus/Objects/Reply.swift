/// The reply that a call still waits for, to be given once: `send` or `refuse`.
///
/// It can be kept for as long as it takes. One that is dropped unanswered is refused with `failed`, so that no caller waits for ever; what
/// is given after the first answer is ignored. Confined to the connection's loop. What is given while a refused batch is taken back
/// (`Connection.refuseHeld`) goes nowhere, as all that is sent then.
public struct Reply<each Output: BusValue> {
  @usableFromInline let call: UnansweredCall

  @usableFromInline let types: Signature

  @usableFromInline init(to call: Call, _ types: Signature) {
    self.call = UnansweredCall(call)
    self.types = types
  }

  /// Replies with those values.
  @inlinable
  public func send(_ output: repeat each Output) {
    call.answer { reply in reply.append(as: types, repeat each output) }
  }

  /// Replies with an error.
  public func refuse(_ error: DBusError) { call.refuse(error) }
}

/// A call that has not been answered yet; the call itself, which may be large, is let go.
@usableFromInline
final class UnansweredCall {
  private let server: ObjectServer
  private let peer: AnyObject?
  /// What is to be sent; nil where it has been, or nobody waits for it.
  private var reply: Message?

  init(_ call: Call) {
    (server, peer) = (call.server, call.peer)
    reply = call.message.expectsReply ? .reply(to: call.message) : nil
  }

  deinit { refuse(DBusError(.failed, "the call was dropped without an answer")) }

  @usableFromInline
  func answer(_ write: (Message) -> Void) {
    guard let reply = take() else { return }
    write(reply)
    server.send(reply.isTooLarge ? reply.replaced(with: .tooLarge) : reply, to: peer)
  }

  func refuse(_ error: DBusError) {
    guard let reply = take() else { return }
    server.send(reply.replaced(with: error), to: peer)
  }

  private func take() -> Message? {
    defer { reply = nil }
    return reply
  }
}
