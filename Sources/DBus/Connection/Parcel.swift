import CLinux

/// Bytes that go out together: messages one after the other, or one by itself that bears descriptors, or is large and was written before.
final class Parcel {
  /// Of a message that was written before, arguments of more bytes are sent from where they lie.
  static let mostCopied = 16 << 10
  /// With so many bytes a parcel is full.
  private static let fullSize = 64 << 10
  /// So much memory is kept for the next messages.
  private static let mostKept = 2 * fullSize

  private var bytes = WireBuffer()
  /// Whose arguments follow the bytes, which are its header.
  private var message: Message?
  /// Whether its bytes are a writer's for the time being: nothing of them is to go out.
  private(set) var isBeingWritten = false
  private var sentCount = 0

  /// Whether a message is not to share a parcel with others.
  static func isAlone(_ body: borrowing MessageBody) -> Bool {
    !body.descriptors.isEmpty || body.bytes.count > mostCopied
  }

  /// Whether another message can go with those that are here.
  var isOpen: Bool { !isBeingWritten && message == nil && bytes.count < Self.fullSize }

  /// Where the next message begins.
  var end: Int { bytes.count }

  /// How many bytes have not gone out.
  var byteCount: Int { bytes.count + (message?.argumentByteCount ?? 0) - sentCount }

  /// Puts a message behind those that are here.
  func add(
    _ message: Message, _ header: MessageHeader, _ body: borrowing MessageBody, serial: UInt32
  ) {
    header.write(
      to: &bytes, serial: serial, signature: body.signature, byteCount: body.byteCount,
      descriptorCount: body.descriptors.count)
    if Self.isAlone(body) {
      self.message = message
    } else {
      body.bytes.withBytes { bytes.append(contentsOf: $0) }
    }
  }

  /// What has become of a message that was to be written here.
  enum Outcome {
    /// It is here, with arguments of that size.
    case written(MessageSize)
    /// It is not: the bus would not carry it.
    case tooLarge
    /// It is not: it bears descriptors, and has to be by itself.
    case bearsDescriptors
  }

  /// Has `content` write a message where it goes out from, behind those that are here.
  ///
  /// The bytes are the writer's meanwhile: should `content` send something itself, that goes into another parcel.
  func write(
    _ header: MessageHeader, serial: UInt32, as types: Signature,
    _ content: (inout MessageWriter) -> Void
  ) -> Outcome {
    isBeingWritten = true
    var begun = WireBuffer()
    swap(&begun, &bytes)
    let start = begun.count
    header.write(to: &begun, serial: serial, signature: types.text)
    var writer = MessageWriter(continuing: MessageBody(behind: begun, as: types))
    content(&writer)
    var body = writer.finish()
    let outcome = body.outcome
    if case .written(let size) = outcome {
      MessageHeader.write(byteCount: size.byteCount, to: &body.bytes, ofHeaderAt: start)
    } else {
      body.bytes.removeAll(from: start, keepingUpTo: Self.mostKept)
    }
    swap(&body.bytes, &bytes)
    isBeingWritten = false
    return outcome
  }

  /// Puts whole messages of another parcel, which has no one by itself, behind those that are here.
  func add(bytes range: Range<Int>, of other: Parcel) {
    other.bytes.withBytes {
      bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: $0[range]))
    }
  }

  /// Shows the messages that are here, but for the arguments of one by itself.
  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    bytes.withBytes(body)
  }

  /// Whether its one message is by itself.
  var isAlone: Bool { message != nil }

  /// Is as new, but for the memory that it has.
  func clear() {
    bytes.removeAll(keepingUpTo: Self.mostKept)
    message = nil
    sentCount = 0
  }

  // MARK: Sending

  /// Whether some of the bytes have gone out: the rest has to follow.
  var isBegun: Bool { sentCount > 0 }

  /// Whether descriptors go with the bytes.
  var hasDescriptors: Bool {
    message?.withContents { _, body in !body.descriptors.isEmpty } ?? false
  }

  /// Writes what the socket takes.
  ///
  /// - Returns: how many bytes that is; -1 where it takes none, and `errno` says why.
  func send(to socket: Int32) -> Int {
    let count = bytes.withBytes { bytes in
      let header = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(sentCount))
      return message?.withContents { _, body in
        body.bytes.withBytes { arguments in
          let rest = arguments.dropFirst(max(0, sentCount - bytes.count))
          return Self.send(
            header, UnsafeRawBufferPointer(rebasing: rest), isBegun ? [] : body.descriptors,
            to: socket)
        }
      } ?? Self.send(header, UnsafeRawBufferPointer(start: nil, count: 0), [], to: socket)
    }
    if count > 0 { sentCount += count }
    return count
  }

  private static func send(
    _ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer,
    _ descriptors: [FileDescriptor], to socket: Int32
  ) -> Int {
    let (first, second) = (clinux_piece(first), clinux_piece(second))
    guard !descriptors.isEmpty else { return clinux_send(socket, first, second, nil, 0) }
    return clinux_send(socket, first, second, descriptors.map(\.number), descriptors.count)
  }
}

extension MessageBody {
  fileprivate var outcome: Parcel.Outcome {
    if isTooLarge { return .tooLarge }
    return descriptors.isEmpty ? .written(size) : .bearsDescriptors
  }
}

extension clinux_piece {
  fileprivate init(_ bytes: UnsafeRawBufferPointer) {
    self.init(start: bytes.baseAddress, count: bytes.count)
  }
}
