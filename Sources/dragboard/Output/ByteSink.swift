import DragboardClient
import Glibc

/// Standard output, or a file that is created or overwritten.
///
/// The file is closed when the last reference is released.
final class ByteSink {
  private let descriptor: Int32
  private let path: String?

  /// Opens the file; nil and "-" mean standard output.
  ///
  /// - Throws: `CommandError` if the file cannot be opened.
  init(_ path: String?) throws(CommandError) {
    guard let path, path != "-" else {
      (descriptor, self.path) = (STDOUT_FILENO, nil)
      return
    }
    descriptor = NativeArguments.withBytes(of: path) {
      open($0, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    }
    guard descriptor >= 0 else { throw .cannotOpen(path) }
    self.path = path
  }

  deinit {
    if path != nil { close(descriptor) }
  }

  /// Writes the bytes of a file.
  ///
  /// Shows a progress bar if the output is not a terminal.
  func write(_ file: ReceivedFile) async throws {
    ProgressBar.clear()
    try await file.copy(to: descriptor, isShown: isatty(descriptor) == 0)
  }

  func write(_ bytes: [UInt8]) throws {
    try bytes.withUnsafeBytes { try Console.write($0, to: descriptor) }
  }
}
