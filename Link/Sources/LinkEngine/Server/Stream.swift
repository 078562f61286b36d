internal import CNATS
internal import Glibc

/// A JetStream stream on the server.
///
/// Its functions block.
struct Stream: Sendable {
  /// The settings that differ between the streams of logs and of contents.
  struct Configuration: Sendable {
    let subjects: String
    /// Whether messages are never deleted.
    let isLog: Bool
  }

  let connection: NATSConnection
  let name: String

  /// The messages of a stream: the numbers of the first and the last one, and the bytes of all.
  struct Extent {
    let (first, last): (UInt64, UInt64)
    let byteCount: Int
  }

  /// Returns the number of the last message; nil if the stream does not exist.
  func lastNumber() throws(LinkError) -> UInt64? { try extent()?.last }

  /// Returns the extent of the messages; nil if the stream does not exist.
  func extent() throws(LinkError) -> Extent? {
    try connection.requireConnected()
    var (info, code): (UnsafeMutablePointer<jsStreamInfo>?, jsErrCode) = (nil, jsErrCode(0))
    let status = connection.withJetStream {
      js_GetStreamInfo(&info, $0, name, nil, &code)
    }
    defer { jsStreamInfo_Destroy(info) }
    if status == NATS_NOT_FOUND || code == JSStreamNotFoundErr { return nil }
    guard status == NATS_OK, let info else { throw connection.error(status, code) }
    let state = info.pointee.State
    return Extent(
      first: state.FirstSeq, last: state.LastSeq, byteCount: Int(clamping: state.Bytes))
  }

  /// Creates the stream if it does not exist.
  func create(_ configuration: Configuration) throws(LinkError) {
    guard try lastNumber() == nil else { return }
    var settings = jsStreamConfig()
    jsStreamConfig_Init(&settings)
    settings.Storage = js_FileStorage
    settings.Discard = js_DiscardNew
    settings.DenyDelete = configuration.isLog
    settings.DenyPurge = configuration.isLog
    settings.MaxMsgsPerSubject = configuration.isLog ? -1 : 1
    settings.AllowDirect = true
    let names: [UnsafePointer<CChar>?] = [UnsafePointer(strdup(name))]
    var subjects: [UnsafePointer<CChar>?] = [UnsafePointer(strdup(configuration.subjects))]
    defer { for text in names + subjects { free(UnsafeMutablePointer(mutating: text)) } }
    settings.Name = names[0]
    settings.SubjectsLen = 1
    var (status, code) = (NATS_OK, jsErrCode(0))
    // Ask for three copies, so that the loss of a server loses no entry. If the server is not in a
    // cluster of three, ask for one copy.
    for copies: Int64 in [3, 1] {
      settings.Replicas = copies
      var info: UnsafeMutablePointer<jsStreamInfo>?
      status = subjects.withUnsafeMutableBufferPointer { subjects in
        settings.Subjects = subjects.baseAddress
        return connection.withJetStream { js_AddStream(&info, $0, &settings, nil, &code) }
      }
      jsStreamInfo_Destroy(info)
      let isTooMany = [
        JSStreamReplicasNotSupportedErr, JSClusterNoPeersErr, JSInsufficientResourcesErr,
      ].contains(code)
      if !isTooMany { break }
    }
    // Another machine may have created the stream in the meantime.
    guard status == NATS_OK || code == JSStreamNameExistErr else {
      throw connection.error(status, code)
    }
  }

  /// Removes all messages but the last one, also those of a log; does nothing if the stream does not exist.
  ///
  /// Unlike a removed stream, the rest is no lost log, which an earlier version of the program would
  /// restore.
  func keepLastMessage() throws(LinkError) {
    try connection.requireConnected()
    var (info, code): (UnsafeMutablePointer<jsStreamInfo>?, jsErrCode) = (nil, jsErrCode(0))
    var status = connection.withJetStream {
      js_GetStreamInfo(&info, $0, name, nil, &code)
    }
    defer { jsStreamInfo_Destroy(info) }
    if status == NATS_NOT_FOUND || code == JSStreamNotFoundErr { return }
    guard status == NATS_OK, let info, let settings = info.pointee.Config else {
      throw connection.error(status, code)
    }
    guard info.pointee.State.Msgs > 1 else { return }
    (settings.pointee.MaxMsgs, settings.pointee.Discard) = (1, js_DiscardOld)
    status = connection.withJetStream { js_UpdateStream(nil, $0, settings, nil, &code) }
    guard status == NATS_OK else { throw connection.error(status, code) }
  }

  /// Ends the stream: from now on, it accepts no message.
  func seal() throws(LinkError) {
    try connection.requireConnected()
    var (info, code): (UnsafeMutablePointer<jsStreamInfo>?, jsErrCode) = (nil, jsErrCode(0))
    var status = connection.withJetStream { js_GetStreamInfo(&info, $0, name, nil, &code) }
    defer { jsStreamInfo_Destroy(info) }
    guard status == NATS_OK, let info, let settings = info.pointee.Config else {
      throw connection.error(status, code)
    }
    guard !settings.pointee.Sealed else { return }
    settings.pointee.Sealed = true
    status = connection.withJetStream { js_UpdateStream(nil, $0, settings, nil, &code) }
    guard status == NATS_OK else { throw connection.error(status, code) }
  }

  /// Removes the stream; does nothing if it does not exist.
  func delete() throws(LinkError) {
    try connection.requireConnected()
    var code = jsErrCode(0)
    let status = connection.withJetStream { js_DeleteStream($0, name, nil, &code) }
    guard status == NATS_OK || status == NATS_NOT_FOUND || code == JSStreamNotFoundErr else {
      throw connection.error(status, code)
    }
  }

  /// Returns the names of the streams of all groups on a server.
  static func names(on connection: NATSConnection) throws(LinkError) -> [String] {
    try connection.requireConnected()
    var (list, code): (UnsafeMutablePointer<jsStreamNamesList>?, jsErrCode) = (nil, jsErrCode(0))
    let status = connection.withJetStream { js_StreamNames(&list, $0, nil, &code) }
    defer { jsStreamNamesList_Destroy(list) }
    if status == NATS_NOT_FOUND { return [] }
    guard status == NATS_OK, let list else { throw connection.error(status, code) }
    return (0..<Int(list.pointee.Count)).compactMap { index in
      list.pointee.List[index].map { String(cString: $0) }
    }.filter { $0.hasPrefix(logPrefix) || $0.hasPrefix(contentPrefix) }
  }

  /// The beginning of the names of streams of logs.
  static let logPrefix = "dragboard-log-"
  /// The beginning of the names of streams of contents.
  static let contentPrefix = "dragboard-contents-"

  /// Appends a message if the last number of the stream, or of the subject, is the expected number.
  ///
  /// If two messages have the same `id`, the server stores only the first.
  ///
  /// - Returns: the message's number; nil if the last number differs from the expected number.
  /// - Throws: `LinkError` if the server does not acknowledge the message.
  func publish(
    _ bytes: [UInt8], on subject: String, after expected: Expectation, id: String?,
    timeout: Int64
  ) throws(LinkError) -> UInt64? {
    try connection.requireConnected()
    var options = jsPubOptions()
    jsPubOptions_Init(&options)
    options.MaxWait = timeout
    switch expected {
    case .last(let number) where number > 0: options.ExpectLastSeq = number
    // In libnats, zero means "no condition".
    case .last, .noMessage: options.ExpectNoMessage = true
    }
    var (ack, code): (UnsafeMutablePointer<jsPubAck>?, jsErrCode) = (nil, jsErrCode(0))
    let status = Self.withOptional(id) { id in
      name.withCString { name in
        options.MsgId = id
        options.ExpectStream = name
        return connection.withJetStream {
          js_Publish(&ack, $0, subject, bytes, Int32(bytes.count), &options, &code)
        }
      }
    }
    defer { jsPubAck_Destroy(ack) }
    if code == JSStreamWrongLastSequenceErr { return nil }
    guard status == NATS_OK, let ack else { throw connection.error(status, code) }
    return ack.pointee.Sequence
  }

  enum Expectation {
    case last(UInt64)
    case noMessage
  }

  /// Returns the message with a number; nil if the server does not have it.
  func message(_ number: UInt64) throws(LinkError) -> [UInt8]? {
    try connection.requireConnected()
    var (message, code): (OpaquePointer?, jsErrCode) = (nil, jsErrCode(0))
    let status = connection.withJetStream {
      js_GetMsg(&message, $0, name, number, nil, &code)
    }
    defer { natsMsg_Destroy(message) }
    if status == NATS_NOT_FOUND || code == JSNoMessageFoundErr { return nil }
    guard status == NATS_OK, let message else { throw connection.error(status, code) }
    return NATSMessage.bytes(of: message)
  }

  /// Returns the last message of a subject; nil if the subject has no messages.
  func lastMessage(on subject: String) throws(LinkError) -> [UInt8]? {
    try connection.requireConnected()
    var options = jsDirectGetMsgOptions()
    jsDirectGetMsgOptions_Init(&options)
    var request = jsOptions()
    jsOptions_Init(&request)
    request.Wait = NATSConnection.transferTimeout
    var message: OpaquePointer?
    let status = subject.withCString { subject in
      options.LastBySubject = subject
      return connection.withJetStream {
        js_DirectGetMsg(&message, $0, name, &request, &options)
      }
    }
    defer { natsMsg_Destroy(message) }
    if status == NATS_NOT_FOUND { return nil }
    guard status == NATS_OK, let message else { throw connection.error(status) }
    return NATSMessage.bytes(of: message)
  }

  /// A part of a content: one of its chunks, or its manifest.
  struct Part {
    let subject: String
    /// The time since the server stored the part.
    let age: Duration
  }

  /// Lists the messages of the matching subjects without their bytes.
  func parts(on subjects: String) throws(LinkError) -> [Part] {
    var code = jsErrCode(0)
    var info: UnsafeMutablePointer<jsStreamInfo>?
    let status = connection.withJetStream {
      js_GetStreamInfo(&info, $0, name, nil, &code)
    }
    defer { jsStreamInfo_Destroy(info) }
    guard status == NATS_OK, let info else { throw connection.error(status, code) }
    guard info.pointee.State.Msgs > 0 else { return [] }
    let subscription = try StreamSubscription(
      to: self, subject: subjects, from: 1, headersOnly: true)
    var parts: [Part] = []
    var isLast = false
    while !isLast {
      let part = try subscription.next(waits: true) { message, data in
        isLast = data.NumPending == 0
        return Part(
          subject: natsMsg_GetSubject(message).map { String(cString: $0) } ?? "",
          age: .nanoseconds(nats_NowInNanoSeconds() - data.Timestamp))
      }
      guard let part else { break }
      parts.append(part)
    }
    return parts
  }

  /// Removes all messages whose subjects match `subjects`.
  func purge(_ subjects: String) throws(LinkError) {
    try connection.requireConnected()
    var options = jsOptions()
    jsOptions_Init(&options)
    var code = jsErrCode(0)
    let status = subjects.withCString { subjects in
      options.Stream.Purge.Subject = subjects
      return connection.withJetStream { js_PurgeStream($0, name, &options, &code) }
    }
    guard status == NATS_OK || status == NATS_NOT_FOUND else {
      throw connection.error(status, code)
    }
  }

  private static func withOptional<Result>(
    _ text: String?, _ body: (UnsafePointer<CChar>?) -> Result
  ) -> Result {
    guard let text else { return body(nil) }
    return text.withCString(body)
  }
}

/// A message of a stream.
struct NATSMessage: Sendable {
  let number: UInt64
  let bytes: [UInt8]

  /// The maximum time for which a subscription waits for a message, in milliseconds.
  private static let wait: Int64 = 60_000

  /// Receives the next message of a subscription, and returns the value that `body` returns for it;
  /// nil if no message has arrived before the timeout.
  ///
  /// If `waits` is false, does not wait for a message that has not arrived yet.
  static func receive<Value>(
    from subscription: OpaquePointer, of connection: NATSConnection, waits: Bool = true,
    _ body: (OpaquePointer) throws(LinkError) -> Value
  ) throws(LinkError) -> Value? {
    var message: OpaquePointer?
    let status = natsSubscription_NextMsg(&message, subscription, waits ? wait : 1)
    defer { natsMsg_Destroy(message) }
    if status == NATS_TIMEOUT { return nil }
    guard status == NATS_OK, let message else { throw connection.error(status) }
    return try body(message)
  }

  static func bytes(of message: OpaquePointer) -> [UInt8] {
    let count = Int(natsMsg_GetDataLength(message))
    guard count > 0, let start = natsMsg_GetData(message) else { return [] }
    return start.withMemoryRebound(to: UInt8.self, capacity: count) { bytes in
      Array(UnsafeBufferPointer(start: bytes, count: count))
    }
  }
}
