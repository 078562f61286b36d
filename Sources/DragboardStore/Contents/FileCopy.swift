internal import CLinux
internal import Glibc

// The owner of a file can change its mode, open it again through /proc/self/fd, and write to it, all
// with a descriptor that is open for reading only. Clients run as the same user as the daemon. So no
// descriptor of a stored file leaves the process: a client gets a copy.
extension StoredFile {
  /// Copies the bytes to a new file that has no name and can get none.
  ///
  /// The copy shares its blocks with the stored file where the file system can do that; else it takes
  /// as long as the disk does. If the disk takes no copy, because it is full or read-only, the copy is
  /// in memory: reads go on.
  ///
  /// - Returns: a descriptor of the copy, open for reading only, at the first byte, close-on-exec; the
  ///   caller closes it.
  /// - Throws: `StoreError.lost` if the stored file is missing or has another length;
  ///   `StoreError.altered` if the bytes are not what was written; `StoreError.file` if it cannot be
  ///   read, or neither the disk nor the memory takes the copy.
  public func copy() throws(StoreError) -> Int32 {
    if sum != nil { try read { _ in true } }
    let source = try openFile()
    do throws(FileError) {
      return try source.copy(byteCount, to: contents.makeUnnamedFile())
    } catch {
      // Reported below if it is the reading that fails.
    }
    do throws(FileError) { return try source.copy(byteCount, to: .inMemory()) } catch {
      throw .file(error)
    }
  }
}

extension ContentFolder {
  /// Makes a file without a name, to read and write.
  ///
  /// A file system that has no such files gets one with a name, which is removed at once. It is the
  /// name of a content: what a crash leaves is removed when the store is opened again.
  fileprivate func makeUnnamedFile() throws(FileError) -> FileDescriptor {
    let raw = clinux_open_unnamed(path, 0o400)
    if raw >= 0 { return FileDescriptor(adopting: raw, path: path) }
    let name = path(of: ContentID())
    let file = try FileDescriptor(
      opening: name, O_RDWR | O_CREAT | O_EXCL, mode: 0o400)
    guard unlink(name) == 0 else { throw FileError(path: name) }
    return file
  }
}

extension FileDescriptor {
  /// Makes a file in memory.
  ///
  /// The corresponding C function is `memfd_create`.
  fileprivate static func inMemory() throws(FileError) -> FileDescriptor {
    let raw = clinux_memfd_create("dragboard")
    guard raw >= 0 else { throw FileError(path: "memfd") }
    return FileDescriptor(adopting: raw, path: "memfd")
  }

  /// Copies the first `count` bytes to an empty file, without bringing them into memory if the system
  /// can do that.
  ///
  /// - Returns: a descriptor of the copy, open for reading only, at the first byte.
  fileprivate func copy(
    _ count: Int, to file: consuming FileDescriptor
  ) throws(FileError) -> Int32 {
    if clinux_clone(file.raw, raw) != 0 { try copyPieces(count, to: file) }
    return try file.reopened().release()
  }

  /// The corresponding C functions are `copy_file_range`, and `pread` and `write` if that fails.
  private func copyPieces(_ count: Int, to file: borrowing FileDescriptor) throws(FileError) {
    var copied = 0
    while copied < count {
      let step = clinux_copy(file.raw, raw, off_t(copied), count - copied)
      guard step > 0 else { break }
      copied += step
    }
    guard lseek(file.raw, off_t(copied), SEEK_SET) >= 0 else { throw FileError(path: file.path) }
    while copied < count {
      guard let piece = read(min(256 << 10, count - copied), at: copied) else {
        throw FileError(path: path)
      }
      guard !piece.isEmpty else { throw FileError(path: path, code: EIO) }
      try piece.span.bytes.withUnsafeBytes { (bytes) throws(FileError) in try file.write(bytes) }
      copied += piece.count
    }
  }

  /// Opens the same file for reading only, with an offset of its own.
  ///
  /// Source: proc(5), `/proc/pid/fd`.
  fileprivate func reopened() throws(FileError) -> FileDescriptor {
    // A link: the other ways to open a file of the store follow none.
    let number = Glibc.open("/proc/self/fd/\(raw)", O_RDONLY | O_CLOEXEC)
    guard number >= 0 else { throw FileError(path: path) }
    return FileDescriptor(adopting: number, path: path)
  }
}
