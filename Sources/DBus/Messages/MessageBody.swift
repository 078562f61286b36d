import Files

/// The arguments of a message that is being made, as the wire carries them.
struct MessageBody: ~Copyable {
  /// The most bytes of an array's elements.
  private static let largestArray = 64 << 20
  /// The most bytes of arguments; the rest is room for the header.
  private static let largestBody = 127 << 20
  /// The most letters of a signature.
  private static let longestSignature = 255

  var bytes = WireBuffer()
  /// The arguments' types.
  private(set) var signature = ""
  /// What goes with the bytes, which name them by their place here.
  var descriptors: [FileDescriptor] = []
  /// Whether a part has more bytes than it may.
  private var hasLargePart = false

  /// How many bytes the arguments have.
  var byteCount: Int { bytes.count }

  /// How large the arguments are.
  var size: MessageSize {
    MessageSize(byteCount: byteCount, descriptorCount: descriptors.count)
  }

  /// Whether the bus would not carry it, but would close the connection.
  ///
  /// Source: the D-Bus specification, "Marshaling": an array ends at 64 MiB, a message at 128 MiB.
  var isTooLarge: Bool { hasLargePart || byteCount > Self.largestBody }

  /// Notes that an array has so many bytes of elements.
  mutating func noteArray(of count: Int) {
    if count > Self.largestArray { hasLargePart = true }
  }

  /// Notes that a signature has so many letters.
  mutating func noteSignature(of count: Int) {
    if count > Self.longestSignature { hasLargePart = true }
  }

  /// Notes that arguments of those types follow.
  mutating func add(_ types: Signature) {
    if signature.isEmpty { signature = types.text } else { signature += types.text }
    noteSignature(of: signature.utf8.count)
  }
}
