internal import CLinux
public import Files
internal import Glibc

// A client gets a copy of a stored file, and never a descriptor of the stored file. Clients run as
// the same user as the daemon, so they own the file. Even with a read-only descriptor, the owner of
// a file can change its mode, open it again through /proc/self/fd, and write to it.
extension ContentFile {
  /// Copies the bytes to a new file without a name.
  ///
  /// No process can give the file a name later.
  ///
  /// If the file system can share blocks, the copy shares its blocks with the stored file.
  /// Otherwise this function waits for the disk. If the disk is full or read-only, the copy is in
  /// memory, so that clients can still read.
  ///
  /// - Returns: a descriptor of the copy. It is read-only, close-on-exec, and at the first byte.
  /// - Throws: `StoreError.lost` if the stored file is missing or has another length;
  ///   `StoreError.altered` if the bytes have changed; `StoreError.file` if the file cannot be
  ///   read, or neither the disk nor the memory has room for the copy.
  public func copy() throws(StoreError) -> FileDescriptor {
    if sum != nil { try read { _ in true } }
    let source = try openFile()
    do throws(FileError) {
      return try source.copied(byteCount, to: contents.makeUnnamedFile())
    } catch {
      // The error may concern the source. In this case the copy to memory fails, too, and reports
      // it.
    }
    do throws(FileError) { return try source.copied(byteCount, to: MemoryFile.empty()) } catch {
      throw .file(error)
    }
  }
}

extension ContentDirectory {
  /// Creates a file without a name, for reading and writing.
  ///
  /// If the file system does not support files without names, the file gets a name, which is
  /// removed at once. The name has the form of a content's name, so that a file that a crash leaves
  /// behind is removed at the next opening.
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
  /// - Returns: a read-only descriptor of the copy, at the first byte.
  fileprivate func copied(_ count: Int, to file: FileDescriptor) throws(FileError) -> FileDescriptor
  {
    try copy(count, to: file)
    return try file.reopened()
  }
}
