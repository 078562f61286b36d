extension Message {
  /// A call of `member`; the interface may be left out where the member's name is enough.
  public static func call(
    _ member: MemberName, of interface: InterfaceName?, at path: ObjectPath,
    to destination: BusName?
  ) -> Message {
    Message(
      MessageHeader(
        kind: .methodCall, expectsReply: true, path: path.text,
        interface: interface?.text, member: member.text, destination: destination?.text))
  }

  /// The answer to `call`, without arguments yet.
  public static func reply(to call: Message) -> Message {
    Message(.reply(to: call.serial, from: call.sender))
  }

  /// The refusal of `call`.
  ///
  /// A U+0000 in the message, which the bus cannot carry, becomes U+FFFD; past 1,024 Unicode scalars it is cut, for it may quote
  /// what the caller sent.
  public static func refusal(of call: Message, with error: DBusError) -> Message {
    let refusal = Message(.refusal(of: call.serial, from: call.sender, with: error))
    refusal.append(error.shortMessage)
    return refusal
  }
}

extension MessageHeader {
  /// That of a signal of the object at `path`.
  static func signal(
    _ member: MemberName, of interface: InterfaceName, from path: ObjectPath
  ) -> MessageHeader {
    MessageHeader(kind: .signal, path: path.text, interface: interface.text, member: member.text)
  }

  /// That of the answer to the call of that number.
  static func reply(to serial: UInt32, from caller: String?) -> MessageHeader {
    MessageHeader(kind: .methodReturn, replySerial: serial, destination: caller)
  }

  /// That of a refusal, whose one argument is the error's short message.
  static func refusal(
    of serial: UInt32, from caller: String?, with error: DBusError
  ) -> MessageHeader {
    MessageHeader(
      kind: .error, errorName: error.name.text, replySerial: serial, destination: caller)
  }
}

extension Message {
  /// Why the bus would not carry it, but would close the connection or leave it out; nil where it would.
  ///
  /// Source: the D-Bus specification, "Message Bus Specification": the path of libdbus's own messages is reserved.
  var refusal: DBusError? {
    if isTooLarge { return .tooLarge }
    if path.map({ ObjectPath(unchecked: $0).isReservedForLibrary }) ?? false {
      return DBusError(
        .invalidArgs,
        "paths that begin with \(ObjectPath.reservedForLibrary) are reserved; nobody is called there"
      )
    }
    return nil
  }
}

extension ObjectPath {
  /// What libdbus sends to itself comes from there; a message of anybody's for it makes the bus close the connection.
  public static let reservedForLibrary: ObjectPath = "/org/freedesktop/DBus/Local"

  /// Whether the bus closes the connection that sends a message for it.
  ///
  /// libdbus, which reads messages on the bus, compares no more than the beginning.
  public var isReservedForLibrary: Bool {
    text.utf8.starts(with: Self.reservedForLibrary.text.utf8)
  }
}

extension DBusError {
  /// The message, of a length that people read.
  var shortMessage: String {
    guard message.utf8.count > 1_024 else { return message }
    let start = String(String.UnicodeScalarView(message.unicodeScalars.prefix(1_024)))
    return start.utf8.count == message.utf8.count ? start : start + "…"
  }

  /// What nobody gets, because the bus would not carry it.
  static let tooLarge = DBusError(
    .limitsExceeded,
    "the message would be larger than the bus carries: an array ends at 64 MiB, a message at 128 MiB"
  )
}
