internal import CLinux
public import Files
internal import Glibc

// The owner of a file can change its mode, open it again through /proc/self/fd, and write to it, all
// with a descriptor that is open for reading only. Clients run as the same user as the daemon. So no
// descriptor of a stored file leaves the process: a client gets a copy.
extension ContentFile {
  /// Copies the bytes to a new file that has no name and can get none.
  ///
  /// The copy shares its blocks with the stored file where the file system can do that; else it takes
  /// as long as the disk does. If the disk takes no copy, because it is full or read-only, the copy is
  /// in memory: reads go on.
  ///
  /// - Returns: a descriptor of the copy, open for reading only, at the first byte, close-on-exec.
  /// - Throws: `StoreError.lost` if the stored file is missing or has another length;
  ///   `StoreError.altered` if the bytes are not what was written; `StoreError.file` if it cannot be
  ///   read, or neither the disk nor the memory takes the copy.
  public func copy() throws(StoreError) -> FileDescriptor {
    if sum != nil { try read { _ in true } }
    let source = try openFile()
    do throws(FileError) {
      return try source.copied(byteCount, to: contents.makeUnnamedFile())
    } catch {
      // Reported below if it is the reading that fails.
    }
    do throws(FileError) { return try source.copied(byteCount, to: MemoryFile.empty()) } catch {
      throw .file(error)
    }
  }
}

extension ContentDirectory {
  /// Makes a file without a name, to read and write.
  ///
  /// A file system that has no such files gets one with a name, which is removed at once. It is the
  /// name of a content: what a crash leaves is removed when the store is opened again.
  fileprivate func makeUnnamedFile() throws(FileError) -> FileDescriptor {
    let number = clinux_open_unnamed(path, 0o400)
    if number >= 0 { return FileDescriptor(adopting: number, path: path) }
    let name = path(of: ContentID())
    let file = try FileDescriptor(
      opening: name, O_RDWR | O_CREAT | O_EXCL, mode: 0o400)
    guard unlink(name) == 0 else { throw FileError(path: name) }
    return file
  }
}

extension FileDescriptor {
  /// Copies the first `count` bytes to an empty file.
  ///
  /// - Returns: a descriptor of the copy, open for reading only, at the first byte.
  fileprivate func copied(_ count: Int, to file: FileDescriptor) throws(FileError) -> FileDescriptor
  {
    try copy(count, to: file)
    return try file.reopened()
  }
}
