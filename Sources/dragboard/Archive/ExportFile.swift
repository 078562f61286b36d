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
  /// The path of the unfinished file, in the directory of the result; nil if the file has no name.
  private var temporary: [CChar]?

  /// Creates an empty archive; nil and "-" mean standard output.
  ///
  /// - Throws: `CommandError`, `Failure`.
  init(_ path: String?) throws {
    self.path = path == "-" ? nil : path
    guard let path = self.path, Self.canReplace(path) else {
      descriptor = try SpoolFile().descriptor
      return
    }
    var template = NativeArguments.withBytes(of: path) { start in
      let name = Array(UnsafeBufferPointer(start: start, count: strlen(start)))
      let directory = name[..<(name.lastIndex(of: CChar(UInt8(ascii: "/"))).map { $0 + 1 } ?? 0)]
      return Array(directory) + ".dragboard-XXXXXX".utf8CString
    }
    let number = mkstemp(&template)
    guard number >= 0 else { throw CommandError.cannotOpen(path) }
    descriptor = FileDescriptor(adopting: number, path: path)
    _ = fcntl(number, F_SETFD, FD_CLOEXEC)
    temporary = template
  }

  deinit {
    if let temporary { unlink(temporary) }
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
    guard let temporary, let path else {
      let file = InputFile(descriptor.number, name: "the archive", isOwned: false)
      guard lseek(descriptor.number, 0, SEEK_SET) == 0 else { throw Failure.system("lseek") }
      let sink = try ByteSink(path)
      return try file.forEachPiece { piece in
        try sink.write(Array(piece))
        return true
      }
    }
    guard fdatasync(descriptor.number) == 0,
      NativeArguments.withBytes(of: path, { rename(temporary, $0) }) == 0
    else { throw CommandError.cannotOpen(path) }
    self.temporary = nil
  }
}
