import CLinux
import DragboardClient
import Glibc

/// A file that is open for reading.
///
/// If `isOwned` is true, it is closed when the last reference is released.
final class InputFile: Sendable {
  /// The maximum number of bytes that are read into memory: the maximum size of a D-Bus message.
  static let maxMessageByteCount = 128 << 20

  let descriptor: Int32
  /// The file's name in messages.
  let name: String
  private let isOwned: Bool

  init(_ descriptor: Int32, name: String, isOwned: Bool) {
    self.descriptor = descriptor
    self.name = name
    self.isOwned = isOwned
  }

  /// Opens a file.
  ///
  /// If the file is a named pipe, waits until it has a writer.
  ///
  /// - Throws: `CommandError` if the file cannot be opened; `Failure.interrupted` after a signal.
  convenience init(path: String) throws {
    func open() -> Int32 {
      NativeArguments.withBytes(of: path) { Glibc.open($0, O_RDONLY | O_CLOEXEC) }
    }
    var descriptor = open()
    while descriptor < 0, errno == EINTR {
      try Interrupted.check()
      descriptor = open()
    }
    guard descriptor >= 0 else { throw CommandError.cannotOpen(path) }
    self.init(descriptor, name: path, isOwned: true)
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else {
      throw CommandError(
        .usage, "\(path): is a directory (expected a file)",
        remedy: "Name the files in the directory, or use --link for a reference to the directory.")
    }
  }

  deinit {
    if isOwned { close(descriptor) }
  }

  static var standard: InputFile {
    InputFile(STDIN_FILENO, name: "standard input", isOwned: false)
  }

  /// Returns the size of a regular file whose offset is 0; returns 0 for any other file.
  ///
  /// - Throws: `system`.
  func regularSize() throws(Failure) -> Int {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .system(name) }
    guard status.st_mode & S_IFMT == S_IFREG, lseek(descriptor, 0, SEEK_CUR) == 0 else { return 0 }
    return Int(status.st_size)
  }

  /// Reads the rest of the file into memory.
  ///
  /// - Throws: `CommandError` if there are more than `limit` bytes; `Failure` if they cannot be
  ///   read.
  func bytes(atMost limit: Int = maxMessageByteCount) throws -> [UInt8] {
    var bytes: [UInt8] = []
    try forEachPiece { piece in
      guard bytes.count + piece.count <= limit else { throw CommandError.tooLarge(name, limit) }
      bytes.append(contentsOf: piece)
      return true
    }
    return bytes
  }

  /// Calls `body` with chunks of at most 64 KiB, until the file ends or `body` returns false.
  ///
  /// - Throws: `interrupted`, `system`, and the errors of `body`.
  func forEachPiece(_ body: (UnsafeRawBufferPointer) throws -> Bool) throws {
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    defer { piece.deallocate() }
    while case let count = try read(into: piece), count > 0 {
      if try !body(UnsafeRawBufferPointer(rebasing: piece[..<count])) { return }
    }
  }

  /// Reads the next bytes; returns their number, 0 at the end.
  ///
  /// - Throws: `interrupted`, `system`.
  func read(into piece: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
    while true {
      _ = clinux_wait_readable(descriptor)
      try Interrupted.check()
      let count = Glibc.read(descriptor, piece.baseAddress, piece.count)
      guard count >= 0 || errno == EINTR else { throw Failure.system(name) }
      // Ctrl-C also ends the writer of a pipe. So after a signal, the end of the pipe does not mean
      // that the input is complete.
      try Interrupted.check()
      if count >= 0 { return count }
    }
  }
}

extension Interrupted {
  /// Checks whether a signal has interrupted the command.
  ///
  /// - Throws: `interrupted` if a signal has arrived.
  static func check() throws(Failure) {
    if let interrupted = latest { throw .interrupted(interrupted.signal) }
  }
}

extension CommandError {
  /// The error for a path that the latest system call could not open.
  static func cannotOpen(_ path: String, code: Int32 = errno) -> CommandError {
    CommandError(
      code == ENOENT ? .notFound : .inputOutput, "\(path): \(String(cString: strerror(code)))")
  }

  /// The error for input that has more bytes than the limit.
  static func tooLarge(
    _ name: String, _ limit: Int, _ part: String = "", remedy: String? = nil
  ) -> CommandError {
    CommandError(
      .refused, "\(name): too large (at most \(Amounts.bytes(limit))\(part))", remedy: remedy)
  }
}
