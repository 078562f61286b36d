/// An item to drag, with its representations.
public struct DragItem: Sendable {
  /// The source of a representation's bytes.
  public enum Content: Sendable {
    /// Bytes, at most 64 MiB.
    case data([UInt8])
    /// A file, from its start to its end.
    case file(SourceFile)
    /// Bytes that are made when somebody asks for them.
    case promise(Promise)
  }

  /// One thing that the item can be had as.
  public struct Representation: Sendable {
    /// The type of the bytes.
    public var type: ContentType
    /// The applications that may load it.
    public var visibility: Visibility
    /// The source of the bytes.
    public var content: Content

    /// A representation of that type.
    public init(_ type: ContentType, visibility: Visibility = .all, _ content: Content) {
      self.type = type
      self.visibility = visibility
      self.content = content
    }
  }

  /// The name, the modification time and the application.
  public var attributes: ItemAttributes
  /// The representations in order of fidelity, the best first; no type twice.
  public var representations: [Representation]

  /// An item with those representations.
  public init(attributes: ItemAttributes, _ representations: [Representation]) {
    self.attributes = attributes
    self.representations = representations
  }

  /// An item with those representations and a suggested name.
  public init(suggestedName: String = "", _ representations: [Representation]) {
    self.init(attributes: ItemAttributes(name: suggestedName), representations)
  }

  /// An item with a plain text.
  public static func text(_ text: String) -> DragItem {
    DragItem([Representation(.plainText, .data(Array(text.utf8)))])
  }
}

/// Bytes that are made when somebody asks for them.
public struct Promise: Sendable {
  /// How many bytes there will be, as far as is known; for progress alone.
  public var expectedByteCount: Int?
  /// Makes the bytes, at most once for each load, on its own thread: it may block.
  ///
  /// SIGPIPE is blocked there. An error fails the load; the destination gets its description. When
  /// the bytes are not needed any longer, a write throws `PromiseWriter.NotWanted`.
  public var write: @Sendable (PromiseWriter) throws -> Void

  /// A promise that `write` keeps.
  public init(
    expectedByteCount: Int? = nil, _ write: @escaping @Sendable (PromiseWriter) throws -> Void
  ) {
    self.expectedByteCount = expectedByteCount
    self.write = write
  }
}
