public import Files

// A client gets a descriptor of an immutable file, or of its own copy. It never gets a descriptor
// of a stored file, because the file's owner could make that writable again.
extension Payload {
  /// Returns a descriptor for a client, at the first byte, if no copy on the disk is needed.
  ///
  /// - Returns: a sealed memfd; nil if the caller must use ``copied(in:)``.
  /// - Throws: `StoreError.file`.
  public func descriptorWithoutCopy() throws(StoreError) -> FileDescriptor? {
    switch self {
    case .memory(let bytes): isInline ? try Self.memoryFile(bytes) : nil
    case .sealed(let file): file.reopened()
    case .file: nil
    }
  }

  /// Copies the bytes for a client; it blocks, so do not call it in the event loop.
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
