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

  /// Calls `body` with all bytes, in order, in chunks of at most 1 MiB.
  ///
  /// - Throws: `inputOutput` if the file cannot be read; the errors of `body`.
  public func read(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    try file.readAll(body)
  }

  /// Returns the first bytes, or all if there are fewer.
  ///
  /// - Throws: `inputOutput`.
  public func bytes(first count: Int) throws(DragboardError) -> [UInt8] {
    let count = min(count, try byteCount)
    var failure: DragboardError?
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      do throws(DragboardError) {
        while initialized < count {
          let rest = UnsafeMutableRawBufferPointer(
            UnsafeMutableBufferPointer(rebasing: buffer[initialized..<count]))
          let read = try file.read(from: initialized, into: rest)
          guard read > 0 else { break }
          initialized += read
        }
      } catch { failure = error }
    }
    if let failure { throw failure }
    return bytes
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
