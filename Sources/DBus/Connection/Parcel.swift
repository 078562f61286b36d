import CLinux

/// Bytes that go out together: small messages one after the other, or a message by itself that is large or bears descriptors.
final class Parcel {
  /// Arguments of more bytes are sent from where they lie.
  private static let mostCopied = 16 << 10
  /// With so many bytes a parcel is full.
  private static let fullSize = 64 << 10

  private var bytes = WireBuffer()
  /// Whose arguments follow the bytes, which are its header.
  private var message: Message?
  private var sentCount = 0

  /// Whether a message is not to share a parcel with others.
  static func isAlone(_ body: borrowing MessageBody) -> Bool {
    !body.descriptors.isEmpty || body.bytes.count > mostCopied
  }

  /// Whether another message can go with those that are here.
  var isOpen: Bool { message == nil && bytes.count < Self.fullSize }

  /// How many bytes have not gone out.
  var byteCount: Int { bytes.count + (message?.byteCount ?? 0) - sentCount }

  /// Puts a message behind those that are here.
  func add(
    _ message: Message, _ header: MessageHeader, _ body: borrowing MessageBody, serial: UInt32
  ) {
    header.write(to: &bytes, serial: serial, of: body)
    if Self.isAlone(body) {
      self.message = message
    } else {
      body.bytes.withBytes { bytes.append(contentsOf: $0) }
    }
  }

  /// Is as new, but for the memory that it has.
  func clear() {
    bytes.removeAll(keepingUpTo: 2 * Self.fullSize)
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

extension clinux_piece {
  fileprivate init(_ bytes: UnsafeRawBufferPointer) {
    self.init(start: bytes.baseAddress, count: bytes.count)
  }
}
