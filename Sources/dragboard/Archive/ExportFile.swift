import DragboardClient
import Files
import Glibc

/// The archive file of an export.
///
/// It is invisible until the archive is complete.
///
/// A new or regular file gets its name only at the end, so a failed export leaves no file and does
/// not change an older file. For a pipe or a device, the bytes are copied from a temporary file at
/// the end.
final class ExportFile {
  let descriptor: FileDescriptor
  /// The path of the result; nil for standard output.
  private let path: String?
  /// The unfinished file; nil if the bytes are copied at the end.
  private let file: AtomicFile?

  /// Creates an empty archive; nil and "-" mean standard output.
  ///
  /// - Throws: `CommandError`, `Failure`.
  init(_ path: String?) throws {
    self.path = path == "-" ? nil : path
    guard let path = self.path, Self.canReplace(path) else {
      (file, descriptor) = (nil, try SpoolFile().descriptor)
      return
    }
    let bytes = NativeArguments.withBytes(of: path) { start in
      Array(UnsafeBufferPointer(start: start, count: strlen(start) + 1))
    }
    do throws(FileError) {
      let file = try AtomicFile(bytes: bytes, path: path)
      (self.file, descriptor) = (file, file.descriptor)
    } catch { throw CommandError.cannotOpen(path, code: error.code) }
  }

  /// Returns whether the path is that of a regular file, or does not exist.
  private static func canReplace(_ path: String) -> Bool {
    var status = stat()
    guard NativeArguments.withBytes(of: path, { lstat($0, &status) }) == 0 else { return true }
    return status.st_mode & S_IFMT == S_IFREG
  }

  /// Removes all bytes, to begin again.
  ///
  /// - Throws: `system`.
  func clear() throws(Failure) {
    guard ftruncate(descriptor.number, 0) == 0, lseek(descriptor.number, 0, SEEK_SET) == 0 else {
      throw .system("truncate")
    }
  }

  /// Renames the complete archive to its final name, or copies it to its destination.
  ///
  /// - Throws: `CommandError`, `Failure`, `CancellationError`.
  func publish() async throws {
    guard let file, let path else {
      let file = InputFile(descriptor.number, name: "the archive", isOwned: false)
      guard lseek(descriptor.number, 0, SEEK_SET) == 0 else { throw Failure.system("lseek") }
      let sink = try ByteSink(path)
      return try file.forEachPiece { piece in
        try sink.write(Array(piece))
        return true
      }
    }
    do throws(FileError) {
      try file.commit()
    } catch { throw CommandError.cannotOpen(path, code: error.code) }
  }
}
