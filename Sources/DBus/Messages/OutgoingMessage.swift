/// A message to be sent: its header, its arguments in wire format, and its file descriptors.
///
/// `Sendable` is unchecked. Until a message is sent, only its creator uses it. After that, the
/// message is only read, on the connection's loop.
public final class OutgoingMessage: @unchecked Sendable {
  let header: MessageHeader
  /// Whether the sender waits for an answer, if this message is a call.
  private var expectsReply = true
  private(set) var body: MessageBody

  /// Creates a message without arguments.
  init(_ header: MessageHeader) {
    self.header = header
    body = MessageBody()
  }

  /// Creates a message whose arguments `content` writes.
  ///
  /// - Returns: nil if the bus would reject the message.
  init?(_ header: MessageHeader, as types: Signature, _ content: (inout MessageWriter) -> Void) {
    self.header = header
    body = MessageBody().appending(types, content)
    guard !body.isTooLarge else { return nil }
  }

  /// Appends arguments of these types.
  @usableFromInline
  func write(_ types: Signature, _ content: (inout MessageWriter) -> Void) {
    // The swaps keep the accesses to `body` short. Swift checks a longer access for conflicts at run
    // time.
    var written = MessageBody()
    swap(&written, &body)
    written = written.appending(types, content)
    swap(&written, &body)
  }

  /// Appends arguments.
  @inlinable
  public func append<each Argument: BusValue>(_ arguments: repeat each Argument) {
    append(as: Arguments<repeat each Argument>.signature, repeat each arguments)
  }

  @inlinable
  func append<each Argument: BusValue>(
    as types: Signature, _ arguments: repeat each Argument
  ) {
    write(types) { writer in repeat (each arguments).write(to: &writer) }
  }

  /// Marks the call so that its receiver sends no reply.
  public func expectNoReply() { expectsReply = false }

  /// The types of the arguments.
  public var signature: Signature { Signature(unchecked: body.signature) }

  // MARK: Sending

  /// The approximate size of the message in the queue, in bytes.
  public var byteCount: Int { body.byteCount + Self.estimatedHeaderByteCount }

  private static let estimatedHeaderByteCount = 128

  var hasDescriptors: Bool { !body.descriptors.isEmpty }

  /// The size of the header in bytes; 0 before the header is written.
  private(set) var headerByteCount = 0

  /// The size of the message on the wire in bytes; valid after the header was written.
  var wireByteCount: Int { headerByteCount + body.byteCount }

  /// Appends the header to earlier headers; `serial` is the number that a reply refers to.
  func writeHeader(to bytes: inout WireBuffer, serial: UInt32) {
    let start = bytes.count
    header.write(
      to: &bytes, serial: serial, expectsReply: expectsReply, signature: body.signature,
      byteCount: body.byteCount, descriptorCount: body.descriptors.count)
    headerByteCount = bytes.count - start
  }
}

// MARK: Kinds

extension OutgoingMessage {
  /// Creates a call of `member`; the interface may be nil if only one interface of the object has
  /// the member.
  public static func call(
    _ member: MemberName, of interface: InterfaceName?, at path: ObjectPath,
    to destination: BusName?
  ) -> OutgoingMessage {
    OutgoingMessage(
      MessageHeader(
        kind: .methodCall, path: path.text, interface: interface?.text, member: member.text,
        destination: destination?.text))
  }

  /// Creates a call of a declared method with its arguments.
  static func call<each I: BusValue, each O: BusValue>(
    _ method: MethodDeclaration<Arguments<repeat each I>, Arguments<repeat each O>>,
    at path: ObjectPath, to destination: BusName, _ arguments: repeat each I
  ) -> OutgoingMessage {
    let call = call(method.description.name, of: method.interface, at: path, to: destination)
    call.append(as: method.description.inputSignature, repeat each arguments)
    return call
  }

  /// Creates the reply to `call`.
  public static func reply(to call: Message) -> OutgoingMessage {
    OutgoingMessage(.reply(to: call.serial, from: call.sender))
  }

  /// Creates an error in reply to `call`.
  ///
  /// A U+0000 in the error's message, which the bus cannot carry, becomes U+FFFD. The message is
  /// cut to 1,024 Unicode scalars, since it may quote the caller.
  public static func refusal(of call: Message, with error: DBusError) -> OutgoingMessage {
    .refusal(of: call.serial, from: call.sender, with: error)
  }

  /// Returns an error that answers the same call as this message.
  ///
  /// - Returns: nil for a signal or a call.
  public func replaced(by error: DBusError) -> OutgoingMessage? {
    guard header.replySerial != 0 else { return nil }
    return .refusal(of: header.replySerial, from: header.destination, with: error)
  }

  static func refusal(
    of serial: UInt32, from caller: String?, with error: DBusError
  ) -> OutgoingMessage {
    let refusal = OutgoingMessage(.refusal(of: serial, from: caller, with: error))
    refusal.append(error.shortMessage)
    return refusal
  }
}

extension DBusError {
  /// The message, cut to a readable length.
  fileprivate var shortMessage: String {
    guard message.utf8.count > 1_024 else { return message }
    let start = String(String.UnicodeScalarView(message.unicodeScalars.prefix(1_024)))
    return start.utf8.count == message.utf8.count ? start : start + "…"
  }

  /// The error for a message that the bus would reject.
  static let tooLarge = DBusError(
    .limitsExceeded,
    "message: it is too large for the bus (an array: at most 64 MiB, a message: 128 MiB)")
}

// MARK: Limits of the bus

extension OutgoingMessage {
  /// The reason why the bus would drop this call or close the connection; nil if it accepts the
  /// call.
  ///
  /// Source: the D-Bus specification, "Message Bus Specification": the path of libdbus's own
  /// messages is reserved.
  var refusal: DBusError? {
    if body.isTooLarge { return .tooLarge }
    guard header.path.map({ ObjectPath(unchecked: $0).isReservedForLibrary }) ?? false else {
      return nil
    }
    return DBusError(
      .invalidArgs,
      "path: paths that begin with \(ObjectPath.reservedForLibrary) are reserved (expected another path)"
    )
  }
}

extension ObjectPath {
  /// The path of messages that libdbus sends to its own process.
  public static let reservedForLibrary: ObjectPath = "/org/freedesktop/DBus/Local"

  /// Whether the bus closes a connection that sends a message to this path.
  ///
  /// The bus compares only the beginning of the path.
  public var isReservedForLibrary: Bool {
    text.utf8.starts(with: Self.reservedForLibrary.text.utf8)
  }
}
