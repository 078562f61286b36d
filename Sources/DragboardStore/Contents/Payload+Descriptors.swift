public import Files

// A client gets a descriptor of an immutable file or of a separate copy, but never of a stored
// file. Clients run as the same user, so they could make a stored file writable.
extension Payload {
  /// Returns a descriptor for a client if no copy on the disk is needed.
  ///
  /// - Returns: a descriptor of a sealed memfd, at the first byte; nil if the caller must use
  ///   ``copied(in:)``.
  /// - Throws: `StoreError.file` if the memfd cannot be created.
  public func descriptorWithoutCopy() throws(StoreError) -> FileDescriptor? {
    switch self {
    case .memory(let bytes): isInline ? try Self.memoryFile(bytes) : nil
    case .sealed(let file): file.reopened()
    case .file: nil
    }
  }

  /// Copies the bytes for a client.
  ///
  /// It waits for the disk, so do not call it on the event loop.
  ///
  /// - Parameter contents: the directory for the copy.
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
