/// An item that is to be dragged: what it would be called, and what it can be had as.
public struct DragItem: Sendable {
  /// What a representation's bytes come from.
  public enum Content: Sendable {
    /// Bytes, at most 64 MiB.
    case data([UInt8])
    /// What a file holds from its start to its end.
    case file(SourceFile)
    /// Bytes that are made when somebody asks for them.
    case promise(Promise)
  }

  /// One thing that the item can be had as.
  public struct Representation: Sendable {
    /// What the bytes are.
    public var type: ContentType
    /// Who may see it.
    public var visibility: Visibility
    /// Where the bytes come from.
    public var content: Content

    /// A representation of that type.
    public init(_ type: ContentType, visibility: Visibility = .all, _ content: Content) {
      self.type = type
      self.visibility = visibility
      self.content = content
    }
  }

  /// What a file of it would be called; "" for no opinion.
  public var suggestedName: String
  /// What it can be had as, in order of fidelity, the highest first; no type twice.
  public var representations: [Representation]

  /// An item with those representations.
  public init(suggestedName: String = "", _ representations: [Representation]) {
    self.suggestedName = suggestedName
    self.representations = representations
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
  /// Makes the bytes: called at most once for each load, on a thread of its own, so that it may wait; SIGPIPE is
  /// blocked there.
  ///
  /// It fails the load by throwing; the error's description is told to whoever asked. That nobody wants the bytes any more shows as
  /// `PromiseWriter.NotWanted`, thrown by a write.
  public var write: @Sendable (PromiseWriter) throws -> Void

  /// A promise that `write` keeps.
  public init(
    expectedByteCount: Int? = nil, _ write: @escaping @Sendable (PromiseWriter) throws -> Void
  ) {
    self.expectedByteCount = expectedByteCount
    self.write = write
  }
}
