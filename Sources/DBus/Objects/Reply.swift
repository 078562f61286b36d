/// The reply that a call still waits for, to be given once: `send` or `refuse`.
///
/// It can be kept for as long as it takes. One that is dropped unanswered is refused with `failed`, so that no caller waits for ever; what
/// is given after the first answer is ignored. Confined to the connection's loop.
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
    call.answer(types) { writer in repeat (each output).write(to: &writer) }
  }

  /// Replies with an error.
  public func refuse(_ error: DBusError) { call.refuse(error) }
}

/// Whom an answer is for.
struct Question {
  /// The number of the call.
  let serial: UInt32
  /// The unique name of who called.
  let caller: String?
  /// The caller whose unread answers the answer counts as; nil if it counts as nobody's.
  let client: ClientQueue?

  /// Whom the answer to a call is for; nil where nobody waits for it.
  init?(_ call: Message, from client: ClientQueue?) {
    guard call.expectsReply else { return nil }
    (serial, caller, self.client) = (call.serial, call.sender, client)
  }
}

/// A call that has not been answered yet; the call itself, which may be large, is let go.
@usableFromInline
final class UnansweredCall {
  private let server: ObjectServer
  private let question: Question?
  private var isAnswered = false

  init(_ call: Call) { (server, question) = (call.server, call.question) }

  deinit { refuse(DBusError(.failed, "the call was dropped without an answer")) }

  @usableFromInline
  func answer(_ types: Signature, _ content: (inout MessageWriter) -> Void) {
    guard let question = take() else { return }
    server.answer(question, types, content)
  }

  func refuse(_ error: DBusError) {
    guard let question = take() else { return }
    server.refuse(question, with: error)
  }

  /// What is to be answered; nil where it has been, or nobody waits for it.
  private func take() -> Question? {
    guard !isAnswered else { return nil }
    isAnswered = true
    return question
  }
}
