/// A destination of outgoing messages: a connection, or an outbox.
public protocol MessageSink: AnyObject {
  /// Sends a message, or stores it to be sent later, after all earlier messages.
  func send(_ message: OutgoingMessage)
}

extension MessageSink {
  /// Encodes and sends a signal.
  ///
  /// A signal that is too large for the bus is dropped.
  @inlinable
  public func emit<each C: BusValue>(
    _ signal: SignalDeclaration<Arguments<repeat each C>>, from path: ObjectPath,
    _ content: repeat each C
  ) {
    emit(signal, from: path) { writer in repeat (each content).write(to: &writer) }
  }

  /// Encodes and sends a signal whose arguments `content` writes.
  @usableFromInline
  func emit<Content>(
    _ signal: SignalDeclaration<Content>, from path: ObjectPath,
    _ content: (inout MessageWriter) -> Void
  ) {
    let header = MessageHeader.signal(signal.description.name, of: signal.interface, from: path)
    let message = OutgoingMessage(header, as: signal.description.signature, content)
    if let message { send(message) }
  }
}

extension Connection: MessageSink {}
