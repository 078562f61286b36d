import DragboardInterface

/// The bytes of a representation of a new row.
public enum RowBytes: Sendable {
  /// Bytes, at most 64 MiB.
  case data([UInt8])
  /// A file, from its start to its end.
  case file(SourceFile)

  /// Creates the bytes of a row from a dragged item; nil for a promise.
  public init?(_ content: DragItem.Content) {
    switch content {
    case .data(let bytes): self = .data(bytes)
    case .file(let file): self = .file(file)
    case .promise: return nil
    }
  }

  var wire: WireContent {
    switch self {
    case .data(let bytes): .data(bytes)
    case .file(let source): .file(source.file)
    }
  }
}
