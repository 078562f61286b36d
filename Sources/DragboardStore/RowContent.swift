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
  /// The suggested file name; empty if none was suggested.
  public let name: String
  /// The first line of the plain text; empty if there is none.
  public let preview: String
  /// 1 to 256 representations, in order of fidelity.
  public internal(set) var representations: [Representation]

  /// Makes a content from its parts.
  public init(
    created: UInt64, source: String, name: String, preview: String,
    representations: [Representation]
  ) {
    self.created = created
    self.source = source
    self.name = name
    self.preview = preview
    self.representations = representations
  }
}
