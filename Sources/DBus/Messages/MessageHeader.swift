struct MessageHeader {
  let kind: MessageKind
  var path: String?
  var interface: String?
  var member: String?
  var errorName: String?
  var replySerial: UInt32 = 0
  var destination: String?

  /// Appends the header to earlier headers, each of which has a multiple of 8 bytes.
  ///
  /// `expectsReply` matters only for a call.
  ///
  /// Source: the D-Bus specification, "Message Format".
  func write(
    to bytes: inout WireBuffer, serial: UInt32, expectsReply: Bool, signature: String,
    byteCount: Int, descriptorCount: Int
  ) {
    let flags: UInt8 = kind == .methodCall && expectsReply ? 0 : 1
    bytes.append(bytes: Self.byteOrder, UInt8(truncatingIfNeeded: kind.code), flags, 1)
    bytes.append(UInt32(byteCount))
    bytes.append(serial)
    let length = bytes.count
    bytes.append(UInt32(0))
    writeFields(to: &bytes)
    if !signature.isEmpty { bytes.append(signatureField: signature) }
    if descriptorCount > 0 { bytes.append(field: 9, UInt32(descriptorCount)) }
    bytes.replace(at: length, with: UInt32(bytes.count - length - 4))
    bytes.align(to: 8)
  }

  private func writeFields(to bytes: inout WireBuffer) {
    if let path { bytes.append(field: 1, "o", path) }
    if let interface { bytes.append(field: 2, "s", interface) }
    if let member { bytes.append(field: 3, "s", member) }
    if let errorName { bytes.append(field: 4, "s", errorName) }
    if replySerial != 0 { bytes.append(field: 5, replySerial) }
    if let destination { bytes.append(field: 6, "s", destination) }
  }

  private static var byteOrder: UInt8 {
    #if _endian(little)
      UInt8(ascii: "l")
    #else
      UInt8(ascii: "B")
    #endif
  }
}

extension WireBuffer {
  /// Appends a field's code and the type of its value, one letter.
  private mutating func begin(field code: UInt8, _ type: Unicode.Scalar) {
    align(to: 8)
    append(bytes: code, 1, UInt8(ascii: type), 0)
  }

  fileprivate mutating func append(field code: UInt8, _ number: UInt32) {
    begin(field: code, "u")
    append(number)
  }

  fileprivate mutating func append(field code: UInt8, _ type: Unicode.Scalar, _ text: String) {
    begin(field: code, type)
    var text = text
    text.withUTF8 { append(text: $0) }
  }

  fileprivate mutating func append(signatureField text: String) {
    begin(field: 8, "g")
    append(signature: text)
  }
}

// MARK: Kinds

extension MessageHeader {
  static func signal(
    _ member: MemberName, of interface: InterfaceName, from path: ObjectPath
  ) -> MessageHeader {
    MessageHeader(kind: .signal, path: path.text, interface: interface.text, member: member.text)
  }

  /// Returns the header of the reply to the call with this serial.
  static func reply(to serial: UInt32, from caller: String?) -> MessageHeader {
    MessageHeader(kind: .methodReturn, replySerial: serial, destination: caller)
  }

  /// Returns the header of an error in reply to the call with this serial.
  static func refusal(
    of serial: UInt32, from caller: String?, with error: DBusError
  ) -> MessageHeader {
    MessageHeader(
      kind: .error, errorName: error.name.text, replySerial: serial, destination: caller)
  }
}
