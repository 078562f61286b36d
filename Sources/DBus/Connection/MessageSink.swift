/// A destination of outgoing messages: a connection, or an object that decides when they are sent.
public protocol MessageSink: AnyObject {
  /// Takes a message, behind the messages that it took earlier.
  func send(_ message: OutgoingMessage)

  /// The approximate number of bytes that the sink holds back before it sends them.
  var byteCount: Int { get }
}

extension MessageSink {
  /// Encodes a signal and appends it.
  ///
  /// A signal that the bus would not carry is dropped.
  @inlinable
  public func emit<each C: BusValue>(
    _ signal: SignalDeclaration<Arguments<repeat each C>>, from path: ObjectPath,
    _ content: repeat each C
  ) {
    emit(signal, from: path) { writer in repeat (each content).write(to: &writer) }
  }

  /// Encodes a signal whose arguments `content` writes, and appends it.
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

extension Connection: MessageSink {
  /// Zero, because a connection holds nothing back; `backlog` counts bytes that the socket has not
  /// taken.
  public var byteCount: Int { 0 }
}
