internal import CLinux
public import Files
internal import Glibc

// The owner of a file can change its mode, open it again through /proc/self/fd, and write to it,
// with a descriptor that is open for reading only. Clients run as the same user as the daemon. So
// no descriptor of a stored file leaves the process: a client gets a copy.
extension ContentFile {
  /// Copies the bytes to a new file without a name, which cannot get a name later.
  ///
  /// If the file system can share blocks, the copy shares its blocks with the stored file;
  /// otherwise copying takes as long as the disk does. If the disk is full or read-only, the copy
  /// is in memory, so that reads still work.
  ///
  /// - Returns: a descriptor of the copy, open for reading only, at the first byte, close-on-exec.
  /// - Throws: `StoreError.lost` if the stored file is missing or has another length;
  ///   `StoreError.altered` if the bytes have changed; `StoreError.file` if the file cannot be
  ///   read, or neither the disk nor the memory has room for the copy.
  public func copy() throws(StoreError) -> FileDescriptor {
    if sum != nil { try read { _ in true } }
    let source = try openFile()
    do throws(FileError) {
      return try source.copied(byteCount, to: contents.makeUnnamedFile())
    } catch {
      // A read error is reported below.
    }
    do throws(FileError) { return try source.copied(byteCount, to: MemoryFile.empty()) } catch {
      throw .file(error)
    }
  }
}

extension ContentDirectory {
  /// Makes a file without a name, to read and write.
  ///
  /// If the file system has no such files, the file gets a name, which is removed at once. The name
  /// is valid for a content, so a file that a crash leaves is removed at the next opening.
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
