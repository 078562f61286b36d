/// What a message that is being made says besides its arguments.
struct MessageHeader {
  let kind: MessageKind
  /// Whether an answer is wanted, of a call.
  var expectsReply = false
  var path: String?
  var interface: String?
  var member: String?
  var errorName: String?
  var replySerial: UInt32 = 0
  var destination: String?

  /// Writes the header, up to where the arguments begin.
  ///
  /// Source: the D-Bus specification, "Message Format".
  func write(to bytes: inout WireBuffer, serial: UInt32, of body: borrowing MessageBody) {
    bytes.beginMessage()
    bytes.append(Self.byteOrder)
    bytes.append(UInt8(truncatingIfNeeded: kind.code))
    bytes.append(UInt8(expectsReply ? 0 : 1))
    bytes.append(UInt8(1))
    bytes.append(UInt32(body.bytes.count))
    bytes.append(serial)
    let length = bytes.count
    bytes.append(UInt32(0))
    writeFields(to: &bytes, of: body)
    bytes.replace(at: length, with: UInt32(bytes.count - length - 4))
    bytes.align(to: 8)
  }

  private func writeFields(to bytes: inout WireBuffer, of body: borrowing MessageBody) {
    if let path { bytes.append(field: 1, "o", path) }
    if let interface { bytes.append(field: 2, "s", interface) }
    if let member { bytes.append(field: 3, "s", member) }
    if let errorName { bytes.append(field: 4, "s", errorName) }
    if replySerial != 0 { bytes.append(field: 5, replySerial) }
    if let destination { bytes.append(field: 6, "s", destination) }
    if !body.signature.isEmpty { bytes.append(signatureField: body.signature) }
    if !body.descriptors.isEmpty { bytes.append(field: 9, UInt32(body.descriptors.count)) }
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
    append(code)
    append(UInt8(1))
    append(UInt8(ascii: type))
    append(UInt8(0))
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
