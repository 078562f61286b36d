import Files

/// The arguments of an outgoing message in wire format.
struct MessageBody: ~Copyable {
  /// The maximum size of an array's elements, in bytes.
  private static let maxArrayBytes = 64 << 20
  /// The maximum size of the arguments, in bytes; the rest of 128 MiB is reserved for the header.
  private static let maxBodyBytes = 127 << 20
  private static let maxSignatureLength = 255

  var bytes = WireBuffer()
  /// The types of the arguments.
  private(set) var signature = ""
  /// The file descriptors, which the bytes refer to by index.
  var descriptors: [FileDescriptor] = []
  /// Whether an array or the signature exceeds its maximum.
  private var hasLargePart = false

  var byteCount: Int { bytes.count }

  var cost: Cost { Cost(bytes: byteCount, descriptors: descriptors.count) }

  /// Whether the bus would reject the message and close the connection.
  ///
  /// Source: the D-Bus specification, "Marshaling": at most 64 MiB for an array, 128 MiB for a
  /// message.
  var isTooLarge: Bool { hasLargePart || byteCount > Self.maxBodyBytes }

  /// Records the size of an array's elements, in bytes.
  mutating func noteArray(of count: Int) {
    if count > Self.maxArrayBytes { hasLargePart = true }
  }

  mutating func noteSignature(of count: Int) {
    if count > Self.maxSignatureLength { hasLargePart = true }
  }

  /// Returns the body with more arguments of these types, which `content` writes.
  consuming func appending(
    _ types: Signature, _ content: (inout MessageWriter) -> Void
  ) -> MessageBody {
    if signature.isEmpty { signature = types.text } else { signature += types.text }
    noteSignature(of: signature.utf8.count)
    var writer = MessageWriter(continuing: self)
    content(&writer)
    return writer.finish()
  }
}
