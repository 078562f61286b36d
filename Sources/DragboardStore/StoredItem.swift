/// What a row holds, as it is stored.
public struct StoredItem: Hashable, Sendable {
  /// When it came: microseconds since 1970, UTC.
  public var created: Int64

  /// The application that it came from; empty where there is none to tell.
  public var source: String

  /// The name that its source suggested, where it did.
  public var name: String?

  /// Its first line, for lists.
  public var preview: String

  /// 1 to 256 representations, in order of fidelity.
  public var representations: [StoredRepresentation]

  /// Names all that an item has.
  public init(
    created: Int64, source: String, name: String? = nil, preview: String,
    representations: [StoredRepresentation]
  ) {
    self.created = created
    self.source = source
    self.name = name
    self.preview = preview
    self.representations = representations
  }
}

/// A type, and an item's bytes in it.
public struct StoredRepresentation: Hashable, Sendable {
  /// The type of plain text in its MIME form.
  public static let plainText = "text/plain;charset=utf-8"

  /// The type in its MIME form.
  public var type: String

  /// The bytes.
  public var content: StoredContent

  /// Names the type of some bytes.
  public init(type: String, content: StoredContent) {
    self.type = type
    self.content = content
  }
}

/// Bytes on their way into the store, which reads them where they are, or out of it.
public enum StoredContent: Hashable, Sendable {
  /// A text's UTF-8.
  case text(String)

  /// Bytes as they are.
  case bytes([UInt8])

  /// Bytes in a file.
  case file(StoredFile)
}

/// What a row holds, but for the bytes.
public struct ItemInfo: Hashable, Sendable {
  /// One representation: its type, and how many bytes it has.
  public struct Representation: Hashable, Sendable {
    /// The type in its MIME form.
    public let type: String

    /// The number of bytes.
    public let byteCount: Int

    /// Names the type and size of some bytes.
    public init(type: String, byteCount: Int) {
      self.type = type
      self.byteCount = byteCount
    }
  }

  /// When it came: microseconds since 1970, UTC.
  public let created: Int64

  /// The application that it came from; empty where there is none to tell.
  public let source: String

  /// The name that its source suggested, where it did.
  public let name: String?

  /// Its first line, for lists.
  public let preview: String

  /// The representations, in order of fidelity.
  public internal(set) var representations: [Representation]
}
