import DragboardClient
import Files
import Glibc

/// A file that replaces another file, or gets a new name, when it is complete.
///
/// Until then an existing file stays as it is. An incomplete file is removed when the last reference is
/// released.
final class ReplacementFile {
  let descriptor: FileDescriptor
  private let name: String
  private let file: AtomicFile

  /// Creates an empty file in the directory of a path.
  ///
  /// The result is nil if the path is that of a pipe or a device, of a link to no file, or of a file in a
  /// directory that is not writable. Write such a file in place.
  ///
  /// The file gets the mode of the existing file. A new file can be read by everyone whom the umask
  /// allows, or only by the user if `isPrivate` is true.
  ///
  /// - Parameters:
  ///   - path: the path of the complete file.
  ///   - isPrivate: whether only the user can read a new file.
  /// - Throws: `CommandError` if the file cannot be created.
  init?(at path: String, isPrivate: Bool = false) throws(CommandError) {
    guard let target = Self.target(of: path) else { return nil }
    do throws(FileError) { file = try AtomicFile(bytes: target, path: path) } catch {
      var status = stat()
      // The file itself may be writable. If it is not, opening it reports the error.
      if [EACCES, EPERM, EROFS].contains(error.code), stat(target, &status) == 0 { return nil }
      throw .cannotOpen(path, code: error.code)
    }
    (descriptor, name) = (file.descriptor, path)
    setMode(of: target, isPrivate: isPrivate)
  }

  /// Returns the path of the regular file, without symbolic links, or of a new file; nil for any other file.
  private static func target(of path: String) -> [CChar]? {
    NativeArguments.withBytes(of: path) { path in
      var status = stat()
      let isLink = lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
      guard stat(path, &status) == 0 else {
        return isLink ? nil : Array(UnsafeBufferPointer(start: path, count: strlen(path) + 1))
      }
      guard status.st_mode & S_IFMT == S_IFREG, let real = realpath(path, nil) else { return nil }
      defer { free(real) }
      return Array(UnsafeBufferPointer(start: real, count: strlen(real) + 1))
    }
  }

  private func setMode(of target: [CChar], isPrivate: Bool) {
    var status = stat()
    if stat(target, &status) == 0 {
      // The owner can differ only if the user is root. The mode comes after the owner, which resets it.
      _ = fchown(descriptor.number, status.st_uid, status.st_gid)
      fchmod(descriptor.number, status.st_mode & 0o777)
    } else if !isPrivate {
      let mask = umask(0)
      umask(mask)
      fchmod(descriptor.number, 0o666 & ~mask)
    }
  }

  /// Gives the complete file its name.
  ///
  /// A mount point cannot be replaced, and neither can another user's file in a directory such as `/tmp`. Such
  /// a file is overwritten.
  ///
  /// - Throws: `CommandError` if the file cannot be stored or renamed; `Failure` if the file of a mount point
  ///   cannot be written.
  func publish() throws {
    do throws(FileError) {
      return try file.commit()
    } catch {
      guard [EBUSY, EPERM, EACCES].contains(error.code), lseek(descriptor.number, 0, SEEK_SET) == 0
      else { throw CommandError.cannotOpen(name, code: error.code) }
    }
    let sink = try ByteSink(name)
    try InputFile(descriptor.number, name: name, isOwned: false).forEachPiece { piece in
      try sink.write(Array(piece))
      return true
    }
  }
}
