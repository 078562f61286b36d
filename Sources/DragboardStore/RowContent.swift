public import DragModel

/// The content of a row.
public struct RowContent: Sendable {
  /// A type and the bytes of this type.
  public struct Representation: Sendable {
    /// The type of the bytes.
    public let type: MIMEType
    /// The bytes.
    public internal(set) var bytes: Payload
    /// The first line of a plain text; empty for other types.
    public let preview: String

    /// Creates a representation from its parts.
    public init(type: MIMEType, bytes: Payload, preview: String) {
      self.type = type
      self.bytes = bytes
      self.preview = preview
    }

    /// Creates a representation of bytes in memory.
    public init(type: MIMEType, data: [UInt8]) {
      let preview = type.isPlainText ? Preview.of(String(decoding: data, as: UTF8.self)) : ""
      self.init(type: type, bytes: .memory(data), preview: preview)
    }
  }

  /// The origin and the age of the row.
  public let origin: RowOrigin
  /// The suggested name and other attributes for display.
  public let attributes: ItemAttributes
  /// The first line of the plain text; empty if there is none.
  public let preview: String
  /// 1 to 256 representations, in order of fidelity.
  public internal(set) var representations: [Representation]
  /// The digest of the types and bytes; nil if the board does not move duplicates.
  public internal(set) var digest: UInt64?

  /// Creates a content from its parts.
  ///
  /// If `preview` is nil, it is the preview of the first representation that has a preview.
  public init(
    origin: RowOrigin, attributes: ItemAttributes = .none, preview: String? = nil,
    representations: [Representation]
  ) {
    self.origin = origin
    self.attributes = attributes
    self.preview = preview ?? representations.lazy.map(\.preview).first { !$0.isEmpty } ?? ""
    self.representations = representations
  }

  /// Creates the content of a new row of the user.
  public init(
    created: UInt64, source: String, attributes: ItemAttributes = .none, preview: String? = nil,
    representations: [Representation]
  ) {
    self.init(
      origin: RowOrigin(created: created, source: source), attributes: attributes,
      preview: preview, representations: representations)
  }
}
