import DBus
import Files

/// A file whose bytes are to be handed on: a regular file or a memfd, open for reading.
public struct SourceFile: Sendable {
  let file: FileDescriptor

  /// A duplicate of a descriptor, which stays the caller's and may be closed.
  ///
  /// - Throws: `inputOutput` if it is not open, or the process has none left.
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
  /// Promises the bytes of a file; each load reads it from its start to its end.
  ///
  /// - Throws: `inputOutput` if the size cannot be read.
  public init(reading source: SourceFile) throws(DragboardError) {
    self.init(expectedByteCount: try source.byteCount) { writer in
      try source.file.readAll { try writer.write($0) }
    }
  }
}
