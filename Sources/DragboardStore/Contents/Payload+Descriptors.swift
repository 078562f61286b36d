public import Files

// A descriptor that a client gets is of a file that nobody can change, or of a copy that nobody else
// has. It is never of a file of the store's: its owner could make that writable again.
extension Payload {
  /// Returns a descriptor for a client, at the first byte, if none of the bytes have to be copied to
  /// a file on the disk for it.
  ///
  /// - Returns: a sealed memfd; nil for ``copied(in:)``.
  /// - Throws: `StoreError.file`.
  public func descriptorWithoutCopy() throws(StoreError) -> FileDescriptor? {
    switch self {
    case .memory(let bytes): isInline ? try Self.memoryFile(bytes) : nil
    case .sealed(let file): file.reopened()
    case .file: nil
    }
  }

  /// Copies the bytes for a client; not for the loop.
  ///
  /// - Parameter contents: makes the file of a copy.
  /// - Returns: a descriptor of a file that has no name, at the first byte.
  /// - Throws: `StoreError`.
  public func copied(in contents: ContentDirectory) throws(StoreError) -> FileDescriptor {
    switch self {
    case .memory(let bytes): try Self.memoryFile(bytes)
    case .sealed: try moved(in: contents).copied(in: contents)
    case .file(let file): try file.copy()
    }
  }

  private static func memoryFile(_ bytes: [UInt8]) throws(StoreError) -> FileDescriptor {
    do throws(FileError) { return try MemoryFile.sealed(holding: bytes) } catch {
      throw .file(error)
    }
  }
}
