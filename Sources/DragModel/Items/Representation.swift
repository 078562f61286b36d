/// The bytes of a representation, in memory, in a file or promised.
///
/// The model needs only the number of bytes; other modules read them.
public protocol RepresentationContent: Sendable {
  /// The number of bytes that count toward the limits.
  var byteCount: Int { get }
  /// The number of these bytes that are in memory, or may have to be read into memory.
  var memoryByteCount: Int { get }
}

extension RepresentationContent {
  /// All bytes.
  public var memoryByteCount: Int { byteCount }
}

/// An encoding in which an item is available.
public struct Representation: Sendable {
  /// The type of the bytes.
  public let type: MIMEType
  /// The applications that may see the representation; nil while its bytes are being received.
  public let visibility: Visibility?
  /// The bytes.
  public let content: any RepresentationContent

  /// Creates a representation.
  public init(type: MIMEType, visibility: Visibility, content: any RepresentationContent) {
    self.type = type
    self.visibility = visibility
    self.content = content
  }

  /// The memory that is charged for a representation in addition to its bytes and its type.
  private static let overhead = 256

  /// The maximum memory of a reserved position.
  public static var reservedMemoryByteCount: Int { overhead + 255 }

  /// The approximate memory that the representation needs, in bytes.
  public var memoryByteCount: Int {
    Self.overhead + type.mime.utf8.count + content.memoryByteCount
  }

  /// Creates a reserved position.
  init(reserving type: MIMEType) {
    self.type = type
    visibility = nil
    content = NoContent()
  }

  /// Returns whether a viewer sees the representation; see ``ItemProvider`` for `reach`.
  func isVisible(within reach: Visibility) -> Bool {
    visibility.map { $0 >= reach } ?? false
  }
}

/// The content of a reserved position, whose bytes are still being received.
private struct NoContent: RepresentationContent {
  let byteCount = 0
}
