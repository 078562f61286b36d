import CDBus

extension Message {
  /// A call of `member`; the interface may be left out where the member's name is enough.
  public static func call(
    _ member: MemberName, of interface: InterfaceName?, at path: ObjectPath,
    to destination: BusName?
  ) -> Message {
    made(
      dbus_message_new_method_call(
        destination?.text, path.text, interface?.text, member.text))
  }

  /// A signal that the object at `path` sends to whoever listens.
  public static func signal(
    _ member: MemberName, of interface: InterfaceName, from path: ObjectPath
  ) -> Message {
    made(dbus_message_new_signal(path.text, interface.text, member.text))
  }

  /// The answer to `call`, without arguments yet.
  public static func reply(to call: Message) -> Message {
    made(dbus_message_new_method_return(call.raw))
  }

  /// The refusal of `call`.
  ///
  /// A U+0000 in the message, which the bus cannot carry, becomes U+FFFD; past 1,024 Unicode scalars it is cut, for it may quote
  /// what the caller sent.
  public static func refusal(of call: Message, with error: DBusError) -> Message {
    made(
      dbus_message_new_error(
        call.raw, error.name.text, String(carriedByBus: error.shortMessage)))
  }

  /// The same refusal, in place of an answer that was made and not sent.
  func replaced(with error: DBusError) -> Message {
    let refusal = Message.made(dbus_message_new(DBUS_MESSAGE_TYPE_ERROR))
    dbus_message_set_reply_serial(refusal.raw, replySerial)
    dbus_message_set_destination(refusal.raw, destination)
    dbus_message_set_error_name(refusal.raw, error.name.text)
    dbus_message_set_no_reply(refusal.raw, 1)
    var writer = MessageWriter(refusal)
    writer.append(error.shortMessage)
    return refusal
  }

  /// Tells the receiver that no answer is wanted; for a call that is not sent yet.
  public func expectNoReply() { dbus_message_set_no_reply(raw, 1) }

  /// Memory is the one thing that libdbus may not get; a process that has none left cannot answer anybody.
  private static func made(_ raw: OpaquePointer?) -> Message {
    guard let raw else { preconditionFailure("libdbus has no memory for a message") }
    return Message(adopting: raw)
  }
}

extension DBusError {
  /// The message, of a length that people read.
  fileprivate var shortMessage: String {
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
