public import DragModel

/// The content of a row.
public struct RowContent: Sendable {
  /// One type and its bytes.
  public struct Representation: Sendable {
    /// The type of the bytes.
    public let type: ContentType
    /// All of the bytes.
    public internal(set) var bytes: Payload
    /// The first line; empty unless the type is plain text.
    public let preview: String

    /// Makes a representation from its parts.
    public init(type: ContentType, bytes: Payload, preview: String) {
      self.type = type
      self.bytes = bytes
      self.preview = preview
    }

    /// Makes a representation of bytes in memory.
    public init(type: ContentType, data: [UInt8]) {
      let preview = type.isPlainText ? Preview.of(String(decoding: data, as: UTF8.self)) : ""
      self.init(type: type, bytes: .memory(data), preview: preview)
    }
  }

  /// When the row was made, in microseconds since 1970, UTC.
  public let created: UInt64
  /// The application that dropped the row; empty for an insert.
  public let source: String
  /// The suggested name and other facts for display.
  public let attributes: ItemAttributes
  /// The first line of the plain text; empty if there is none.
  public let preview: String
  /// 1 to 256 representations, in order of fidelity.
  public internal(set) var representations: [Representation]
  /// The digest of the types and bytes; nil unless the board moves duplicates.
  public internal(set) var digest: [UInt8]?

  /// Makes a content from its parts.
  public init(
    created: UInt64, source: String, attributes: ItemAttributes = .none, preview: String,
    representations: [Representation]
  ) {
    self.created = created
    self.source = source
    self.attributes = attributes
    self.preview = preview
    self.representations = representations
  }

  /// Makes a content whose preview is that of the first representation that has one.
  public init(
    created: UInt64, source: String, attributes: ItemAttributes = .none,
    representations: [Representation]
  ) {
    self.init(
      created: created, source: source, attributes: attributes,
      preview: representations.lazy.map(\.preview).first { !$0.isEmpty } ?? "",
      representations: representations)
  }
}
