import DBus
import Files

/// A file whose bytes are to be handed on: a regular file or a memfd, open for reading.
public struct SourceFile: Sendable {
  let file: FileDescriptor

  /// What the descriptor is open for; the descriptor itself stays the caller's, and may be closed.
  ///
  /// - Throws: `inputOutput` where it is not open, or the process has none left.
  public init(descriptor: Int32) throws(DragboardError) {
    file = try FileDescriptor(duplicating: descriptor)
  }

  /// How many bytes it holds.
  ///
  /// - Throws: `inputOutput`.
  public var byteCount: Int {
    get throws(DragboardError) { try file.byteCount }
  }
}

extension Promise {
  /// Promises what a file holds; it is read when somebody asks for it, each time from its start to its end.
  ///
  /// - Throws: `inputOutput` where its size is not to be had.
  public init(reading source: SourceFile) throws(DragboardError) {
    self.init(expectedByteCount: try source.byteCount) { writer in
      try source.file.readAll { try writer.write($0) }
    }
  }
}
