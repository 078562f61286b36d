public import DragModel

/// What a row holds.
public struct RowContent: Sendable {
  /// One type and its bytes.
  public struct Representation: Sendable {
    /// What the bytes are.
    public let type: ContentType
    /// All of it.
    public let bytes: StoredBytes
    /// The first line; empty for what is no plain text.
    let preview: String

    init(type: ContentType, bytes: StoredBytes, preview: String) {
      self.type = type
      self.bytes = bytes
      self.preview = preview
    }

    /// A representation of few bytes.
    init(type: ContentType, data: [UInt8]) {
      let preview = type.isPlainText ? Preview.of(String(decoding: data, as: UTF8.self)) : ""
      self.init(type: type, bytes: .inline(data), preview: preview)
    }

    /// A few bytes that are plain text.
    static func plainText(_ text: String) -> Self {
      Self(type: .plainText, bytes: .inline(Array(text.utf8)), preview: Preview.of(text))
    }
  }

  /// When the row was made, in microseconds since 1970, UTC.
  public let created: UInt64
  /// The application that dropped it; empty for an insert.
  public let source: String
  /// What a file of it would be called; empty where nothing was suggested.
  public let name: String
  /// The first line of its plain text; empty where it has none.
  public let preview: String
  /// In order of fidelity; at least one.
  public let representations: [Representation]

  /// A content of those parts.
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

/// What a row is, without its bytes.
public struct RowSummary: Sendable {
  /// When the row was made, in microseconds since 1970, UTC.
  public let created: UInt64
  /// The application that dropped it; empty for an insert.
  public let source: String
  /// What a file of it would be called; empty where nothing was suggested.
  public let name: String
  /// The first line of its plain text; empty where it has none.
  public let preview: String
  /// Types with their sizes in bytes, in order of fidelity.
  public let types: [(type: ContentType, byteCount: Int)]

  /// What is shown of a row that the database has lost.
  static var missing: RowSummary {
    RowSummary(created: 0, source: "", name: "", preview: "", types: [])
  }

  /// A summary of those parts.
  public init(
    created: UInt64, source: String, name: String, preview: String,
    types: [(type: ContentType, byteCount: Int)]
  ) {
    self.created = created
    self.source = source
    self.name = name
    self.preview = preview
    self.types = types
  }
}
