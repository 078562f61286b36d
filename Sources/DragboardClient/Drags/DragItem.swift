/// An item to drag, with its representations.
public struct DragItem: Sendable {
  /// The source of a representation's bytes.
  public enum Content: Sendable {
    /// Bytes, at most 64 MiB.
    case data([UInt8])
    /// A file, from its start to its end.
    case file(SourceFile)
    /// Bytes that the source produces only when a destination requests them.
    case promise(Promise)
  }

  /// One representation of an item: bytes of one type.
  public struct Representation: Sendable {
    /// The type of the bytes.
    public var type: ContentType
    /// The applications that may load it.
    public var visibility: Visibility
    /// The source of the bytes.
    public var content: Content

    /// Creates a representation.
    public init(_ type: ContentType, visibility: Visibility = .all, _ content: Content) {
      self.type = type
      self.visibility = visibility
      self.content = content
    }
  }

  /// The name, the modification time and the application.
  public var attributes: ItemAttributes
  /// The representations in order of fidelity, the best first, all of different types.
  public var representations: [Representation]

  /// Creates an item from its representations and attributes.
  public init(attributes: ItemAttributes, _ representations: [Representation]) {
    self.attributes = attributes
    self.representations = representations
  }

  /// Creates an item from its representations and a suggested name.
  public init(suggestedName: String = "", _ representations: [Representation]) {
    self.init(attributes: ItemAttributes(name: suggestedName), representations)
  }

  /// Creates an item with one representation, a plain text.
  public static func text(_ text: String) -> DragItem {
    DragItem([Representation(.plainText, .data(Array(text.utf8)))])
  }
}

/// Bytes that the source produces only when a destination requests them.
public struct Promise: Sendable {
  /// The expected number of bytes, only for reporting progress; nil if unknown.
  public var expectedByteCount: Int?
  /// Writes the bytes.
  ///
  /// Each load calls it at most once, on a separate thread, so it may block.
  ///
  /// SIGPIPE is blocked on this thread. If the function throws an error, the load fails, and the
  /// destination receives the description of the error. If the bytes are no longer needed, a write
  /// throws `PromiseWriter.NotWanted`.
  public var write: @Sendable (PromiseWriter) throws -> Void

  /// Creates a promise whose bytes `write` writes.
  public init(
    expectedByteCount: Int? = nil, _ write: @escaping @Sendable (PromiseWriter) throws -> Void
  ) {
    self.expectedByteCount = expectedByteCount
    self.write = write
  }
}
