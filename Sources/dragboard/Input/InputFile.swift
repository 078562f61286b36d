import CLinux
import DragboardClient
import Glibc

/// An open file to read from; it is closed with the last reference if it was opened for this.
final class InputFile: Sendable {
  /// Maximum number of bytes that are read into memory: no message of D-Bus has more.
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

  /// Opens a file; a named pipe is waited for until it has a writer.
  ///
  /// - Throws: `CommandError`; `Failure.interrupted`.
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
        .usage, "\(path): is a directory (a file is expected)",
        remedy: "Give its files, or a reference to it with --link.")
    }
  }

  deinit {
    if isOwned { close(descriptor) }
  }

  static var standard: InputFile {
    InputFile(STDIN_FILENO, name: "standard input", isOwned: false)
  }

  /// Returns the size of a regular file that is read from its start; 0 for everything else.
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
  /// - Throws: `CommandError` if there are more bytes than that; `Failure`.
  func bytes(atMost limit: Int = maxMessageByteCount) throws -> [UInt8] {
    var bytes: [UInt8] = []
    try forEachPiece { piece in
      guard bytes.count + piece.count <= limit else { throw CommandError.tooLarge(name, limit) }
      bytes.append(contentsOf: piece)
      return true
    }
    return bytes
  }

  /// Calls `body` with the next bytes, at most 64 KiB, until the file ends or `body` returns false.
  ///
  /// - Throws: `interrupted`, `system`, or what `body` throws.
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
      // Ctrl-C also ends the writer of a pipe: its end is not the end of the input.
      try Interrupted.check()
      if count >= 0 { return count }
    }
  }
}

extension Interrupted {
  /// Throws if a signal has asked the command to end.
  ///
  /// - Throws: `interrupted`.
  static func check() throws(Failure) {
    if let interrupted = latest { throw .interrupted(interrupted.signal) }
  }
}

extension CommandError {
  /// A path that the latest system call could not open.
  static func cannotOpen(_ path: String) -> CommandError {
    CommandError(
      errno == ENOENT ? .notFound : .inputOutput, "\(path): \(String(cString: strerror(errno)))")
  }

  /// Input that has more bytes than the limit.
  static func tooLarge(
    _ name: String, _ limit: Int, _ part: String = "", remedy: String? = nil
  ) -> CommandError {
    CommandError(
      .refused, "\(name): too large (at most \(Amounts.bytes(limit))\(part))", remedy: remedy)
  }
}
