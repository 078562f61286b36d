import DBus
import Files

/// A file whose bytes are inserted or dragged: a regular file or a memfd, open for reading.
public struct SourceFile: Sendable {
  let file: FileDescriptor

  /// Duplicates a descriptor.
  ///
  /// The caller still owns `descriptor`, and may close it.
  ///
  /// - Throws: `inputOutput` if `descriptor` is not open, or the process has no descriptor left.
  public init(descriptor: Int32) throws(DragboardError) {
    file = try FileDescriptor(duplicating: descriptor)
  }

  /// The size of the file in bytes.
  ///
  /// - Throws: `inputOutput`.
  public var byteCount: Int {
    get throws(DragboardError) { try file.byteCount }
  }
}

extension Promise {
  /// Promises the bytes of a file.
  ///
  /// Each load reads the whole file.
  ///
  /// - Throws: `inputOutput` if the size cannot be read.
  public init(reading source: SourceFile) throws(DragboardError) {
    self.init(expectedByteCount: try source.byteCount) { writer in
      try source.file.readAll { try writer.write($0) }
    }
  }
}
