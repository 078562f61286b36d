internal import DBus
import Files

/// Reads any bytes as a message, as the arguments of a message, and as a text in a message.
///
/// The bytes are refused, or the values that were read can be written and read again without a
/// change.
func fuzzMessage(_ bytes: UnsafeRawBufferPointer) {
  var events = Events(bytes)
  let kind = events.next(signatures.count + 2)
  switch kind {
  case 0: if let message = Message(wire: events.rest) { check(message) }
  case 1: checkVocabulary(String(decoding: events.rest, as: UTF8.self))
  default:
    let call = wireCall(signature: signatures[kind - 2], arguments: events.rest)
    if let message = call.withUnsafeBytes({ Message(wire: $0) }) { check(message) }
  }
}

/// The types of arguments that are read below.
private let signatures: [String] = [
  "", "v", "s", "su", "as", "ay", "aay", "sasa{sv}", "a(sasuv)", "ogbynqiuxtd", "ab",
  "a{uv}", "aa{ss}", "vv", "h",
]

/// Returns a call with these arguments in wire format.
private func wireCall(signature: String, arguments: UnsafeRawBufferPointer) -> [UInt8] {
  var bytes: [UInt8] = [UInt8(ascii: "l"), 1, 0, 1]
  func append(_ number: Int) { (0..<4).forEach { bytes.append(UInt8(number >> (8 * $0) & 255)) } }
  func append(field: UInt8, _ type: Unicode.Scalar, _ text: String) {
    while bytes.count % 8 > 0 { bytes.append(0) }
    bytes += [field, 1, UInt8(ascii: type), 0]
    if type == "g" { bytes.append(UInt8(text.utf8.count)) } else { append(text.utf8.count) }
    bytes += Array(text.utf8) + [0]
  }
  append(arguments.count)
  append(1)
  append(0)
  append(field: 1, "o", "/a")
  append(field: 3, "s", "M")
  append(field: 7, "s", ":1.2")
  append(field: 8, "g", signature)
  bytes[12] = UInt8(bytes.count - 16)
  while bytes.count % 8 > 0 { bytes.append(0) }
  return bytes + arguments
}

// MARK: - Received messages

private func check(_ message: Message) {
  checkHeader(message)
  checkAnswers(to: message)
  checkRoundTrip(message, Variant.self)
  checkRoundTrip(message, Variant.self, Variant.self)
  checkRoundTrip(message, String.self)
  checkRoundTrip(message, String.self, UInt32.self)
  checkRoundTrip(message, [String].self)
  checkRoundTrip(message, [UInt8].self)
  checkRoundTrip(message, [[UInt8]].self)
  checkRoundTrip(message, [Bool].self)
  checkRoundTrip(message, [Structure<String, [String], UInt32, Variant>].self)
  checkRoundTrip(
    message, ObjectPath.self, Signature.self, Bool.self, UInt8.self, Int16.self, UInt16.self,
    Int32.self, UInt32.self, Int64.self, UInt64.self, Double.self)
  // The order of a dictionary's entries is undefined, so the entries cannot be compared as a list.
  checkReading(message, String.self, [String].self, [String: Variant].self)
  checkReading(message, [UInt32: Variant].self)
  checkReading(message, [[String: String]].self)
  precondition((try? message.arguments(as: FileDescriptor.self)) == nil, "a descriptor of bytes")
  _ = try? message.content(as: String.self)
  _ = try? message.content(as: [String].self)
}

private func checkHeader(_ message: Message) {
  precondition(message.serial > 0 && message.hasSignature(message.signature))
  precondition(Signature.isValid(message.signature.text))
  precondition(message.path.map(ObjectPath.isValid) ?? true)
  precondition(message.interface.map(InterfaceName.isValid) ?? true)
  precondition(message.member.map(MemberName.isValid) ?? true)
  precondition(message.errorName.map(ErrorName.isValid) ?? true)
  precondition(message.destination.map(BusName.isValid) ?? true)
  precondition(message.sender.map { BusName.isValid($0) && message.isFrom($0) } ?? true)
  precondition((message.error == nil) == (message.errorName == nil))
  _ = (message.kind, message.expectsReply, message.replySerial)
  // A message that was read from bytes has no descriptors, so copying it cannot run out of them.
  guard let copy = try? message.copyToKeep() else { preconditionFailure("no copy") }
  precondition(copy.serial == message.serial && copy.signature == message.signature)
  precondition(copy.byteCountToKeep == message.byteCountToKeep)
}

/// Checks that the answers to any call can be sent.
private func checkAnswers(to message: Message) {
  let answer = OutgoingMessage.reply(to: message)
  answer.append(message.path ?? "")
  let error = message.error ?? DBusError(.invalidArgs, message.member ?? "\0")
  let refusal = OutgoingMessage.refusal(of: message, with: error)
  for (made, name) in [(answer, nil), (refusal, error.name.text)] {
    let read = received(made)
    precondition(read.replySerial == message.serial && read.destination == message.sender)
    precondition(read.errorName == name)
  }
  precondition(
    answer.wire(serial: 7, behind: refusal) == answer.wire(serial: 7),
    "behind another message the answer is encoded differently")
}

private func checkRoundTrip<each Argument: BusValue>(
  _ message: Message, _ types: repeat (each Argument).Type
) {
  guard let arguments = try? message.arguments(as: repeat each types) else { return }
  let first = made(repeat each arguments)
  guard let again = try? received(first).arguments(as: repeat each types) else {
    fatalError("what was written cannot be read")
  }
  precondition(first.wire(serial: 7) == made(repeat each again).wire(serial: 7), "read as another")
}

private func checkReading<each Argument: BusValue>(
  _ message: Message, _ types: repeat (each Argument).Type
) {
  guard let arguments = try? message.arguments(as: repeat each types) else { return }
  let first = made(repeat each arguments)
  precondition((try? received(first).arguments(as: repeat each types)) != nil)
}

// MARK: - Created messages

private func made<each Argument: BusValue>(_ arguments: repeat each Argument) -> OutgoingMessage {
  let call = OutgoingMessage.call("Member", of: "a.b", at: "/a", to: ":1.3")
  call.append(repeat each arguments)
  return call
}

/// Returns a message as its receiver gets it.
private func received(_ message: OutgoingMessage) -> Message {
  guard let bytes = message.wire(serial: 7) else { fatalError("it is too large to be sent") }
  guard let read = bytes.withUnsafeBytes({ Message(wire: $0) }) else {
    fatalError("the written bytes are not a message")
  }
  precondition(read.signature == message.signature && read.serial == 7)
  return read
}

/// Checks that an accepted name can be sent as a name, and any text without U+0000 as a text.
private func checkVocabulary(_ text: String) {
  let carried = String(
    String.UnicodeScalarView(text.unicodeScalars.map { $0 == "\0" ? "\u{FFFD}" : $0 }))
  precondition((try? received(made(text)).arguments(as: String.self)) == carried)
  if let path = try? ObjectPath(text) {
    precondition((try? received(made(path)).arguments(as: ObjectPath.self)) == path)
    if !path.isReservedForLibrary { _ = received(.call("Member", of: nil, at: path, to: nil)) }
  }
  if let signature = try? Signature(text) {
    precondition((try? received(made(signature)).arguments(as: Signature.self)) == signature)
  }
  if let name = try? InterfaceName(text), !text.hasPrefix("org.freedesktop.DBus.Local") {
    precondition(received(.call("Member", of: name, at: "/", to: nil)).interface == text)
  }
  if let name = try? MemberName(text) {
    precondition(received(.call(name, of: nil, at: "/", to: nil)).member == text)
  }
  if let name = try? BusName(text) {
    precondition(received(.call("Member", of: nil, at: "/", to: name)).destination == text)
  }
  if let name = try? ErrorName(text) {
    let asked = wireCall(signature: "", arguments: UnsafeRawBufferPointer(start: nil, count: 0))
    guard let call = asked.withUnsafeBytes({ Message(wire: $0) }) else { fatalError("no call") }
    precondition(received(.refusal(of: call, with: DBusError(name, text))).errorName == text)
  }
}
