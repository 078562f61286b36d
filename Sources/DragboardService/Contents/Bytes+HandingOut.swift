import DBus

// A descriptor that a client gets is of a file that nobody can change, or of a copy that nobody else
// has. It is never of a file of the repository's: its owner could make that writable again.
extension Bytes {
  /// A descriptor for a client, at the first byte, if none of the bytes have to be copied to a file on the disk for it.
  ///
  /// - Returns: a sealed memfd; nil for ``copied(makeFile:)``.
  func descriptorWithoutCopy() throws(RepositoryError) -> FileDescriptor? {
    switch self {
    case .memory: try few.map { few throws(RepositoryError) in try MemoryFile.sealed(holding: few) }
    case .sealed(let file): file.reopened()
    case .file: nil
    }
  }

  /// Copies the bytes for a client; not for the loop.
  ///
  /// - Returns: a descriptor of a file that has no name, at the first byte.
  func copied(makeFile: @escaping SpoolMaker) throws(RepositoryError) -> FileDescriptor {
    switch self {
    case .memory(let bytes): try MemoryFile.sealed(holding: bytes)
    case .sealed: try moved(makeFile: makeFile).copied(makeFile: makeFile)
    case .file(let file): FileDescriptor(adopting: try file.copy())
    }
  }
}
