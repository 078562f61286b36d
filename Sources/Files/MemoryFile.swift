internal import CLinux
internal import Glibc

/// Files in memory.
public enum MemoryFile {
  /// Creates an empty file in memory.
  ///
  /// The corresponding C function is `memfd_create`.
  public static func empty() throws(FileError) -> FileDescriptor {
    let file = FileDescriptor(adopting: clinux_memfd_create("dragboard"), path: "memfd")
    guard file.number >= 0 else { throw FileError(path: file.path) }
    return file
  }

  /// Creates a sealed file with these bytes, which cannot change; its offset is 0.
  ///
  /// Source: memfd_create(2), "File sealing".
  public static func sealed(holding bytes: [UInt8]) throws(FileError) -> FileDescriptor {
    let file = try empty()
    try file.write(bytes)
    guard lseek(file.number, 0, SEEK_SET) == 0, clinux_seal(file.number) == 0 else {
      throw FileError(path: file.path)
    }
    return file
  }
}
