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
  /// The file that gets the path; nil if the bytes are copied.
  private let replacement: ReplacementFile?

  /// Creates an empty archive; nil and "-" mean standard output.
  ///
  /// - Throws: `CommandError`, `Failure`.
  init(_ path: String?) throws {
    self.path = path == "-" ? nil : path
    replacement = try self.path.flatMap { try ReplacementFile(at: $0, isPrivate: true) }
    descriptor = try replacement?.descriptor ?? SpoolFile().descriptor
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
    if let replacement { return try replacement.publish() }
    let file = InputFile(descriptor.number, name: "the archive", isOwned: false)
    guard lseek(descriptor.number, 0, SEEK_SET) == 0 else { throw Failure.system("lseek") }
    let sink = try ByteSink(path)
    try file.forEachPiece { piece in
      try sink.write(Array(piece))
      return true
    }
  }
}
