import DragboardClient
import Files
import Glibc

/// A temporary file without a name, for input that can be read only once.
///
/// The file is in `$TMPDIR` or `/var/tmp`, and not in `/tmp`, because `/tmp` is in memory on many
/// systems, and a large file would fill it.
final class SpoolFile {
  let descriptor: FileDescriptor
  /// The number of bytes that were written.
  private(set) var byteCount = 0

  /// Creates an empty file.
  ///
  /// - Throws: `system`.
  init() throws(Failure) {
    let template = strdup("\(Environment["TMPDIR"] ?? "/var/tmp")/dragboard-XXXXXX")
    defer { free(template) }
    guard let template else { throw .system("strdup") }
    descriptor = FileDescriptor(adopting: mkstemp(template))
    guard descriptor.number >= 0 else { throw .system("create \(String(cString: template))") }
    unlink(template)
    _ = fcntl(descriptor.number, F_SETFD, FD_CLOEXEC)
  }

  /// The file as an argument of a call.
  ///
  /// It stays open after this object is released.
  var source: SourceFile {
    get throws(DragboardError) { try SourceFile(descriptor: descriptor.number) }
  }

  /// Appends bytes.
  ///
  /// - Throws: `interrupted`, `system`.
  func write(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
    try Console.write(bytes, to: descriptor.number)
    byteCount += bytes.count
  }

  /// Appends a text.
  ///
  /// - Throws: `interrupted`, `system`.
  func write(_ text: String) throws(Failure) {
    try Console.write(text, to: descriptor.number)
    byteCount += text.utf8.count
  }

  /// Returns the `count` bytes from `offset` on, or fewer at the end.
  ///
  /// - Throws: `system`.
  func read(_ count: Int, at offset: Int) throws(Failure) -> [UInt8] {
    guard let bytes = descriptor.read(count, at: offset) else { throw .system("pread") }
    return bytes
  }
}
