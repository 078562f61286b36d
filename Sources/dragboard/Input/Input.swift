import DragboardClient
import Glibc

/// What a command was given to read: bytes, or a file that is handed on unread.
enum Input {
  case bytes([UInt8])
  case file(SourceFile)

  /// From so many bytes on a file is handed on, which costs less than bytes in a message.
  private static let smallestFile = 8 << 10

  /// A file that is so large that storing it takes a while.
  var isLarge: Bool {
    guard case .file(let file) = self, let count = try? file.byteCount else { return false }
    return count >= ProgressBar.smallestFile
  }

  /// All of standard input; a large file is handed on.
  static func standard() throws(CommandError) -> Input {
    try Input(InputFile(STDIN_FILENO, name: "standard input", isOwned: false))
  }

  /// A file.
  static func file(_ path: String) throws(CommandError) -> Input {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .unreadable(path) }
    return try Input(InputFile(descriptor, name: path, isOwned: true))
  }

  private init(_ file: InputFile) throws(CommandError) {
    let size = try file.regularSize()
    guard size > Self.smallestFile else {
      self = .bytes(try file.bytes())
      return
    }
    do throws(DragboardError) {
      self = .file(try SourceFile(descriptor: file.descriptor))
    } catch { throw CommandError(error) }
  }

  /// The lines of standard input, those that are empty left out.
  static func lines() throws(CommandError) -> [String] {
    let file = InputFile(STDIN_FILENO, name: "standard input", isOwned: false)
    let bytes = try file.bytes()
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw CommandError(.usage, "standard input is not UTF-8")
    }
    return text.split(whereSeparator: \.isNewline).map(String.init)
  }
}

/// An open file, closed with the last reference where it was opened for this.
final class InputFile: Sendable {
  /// Open for reading.
  let descriptor: Int32
  private let name: String
  private let isOwned: Bool

  init(_ descriptor: Int32, name: String, isOwned: Bool) {
    self.descriptor = descriptor
    self.name = name
    self.isOwned = isOwned
  }

  deinit {
    if isOwned { close(descriptor) }
  }

  /// The size of a regular file that stands at its beginning; 0 for what can only be read.
  func regularSize() throws(CommandError) -> Int {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .unreadable(name) }
    guard status.st_mode & S_IFMT == S_IFREG, lseek(descriptor, 0, SEEK_CUR) == 0 else { return 0 }
    return Int(status.st_size)
  }

  /// Everything from here to the end.
  func bytes() throws(CommandError) -> [UInt8] {
    var bytes: [UInt8] = []
    let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    defer { piece.deallocate() }
    while true {
      let count = read(descriptor, piece.baseAddress, piece.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .unreadable(name) }
      guard count > 0 else { return bytes }
      bytes.append(contentsOf: piece[..<count])
    }
  }
}

extension CommandError {
  /// A file that cannot be read, and why, as errno says.
  static func unreadable(_ name: String) -> CommandError {
    let status: ExitStatus = errno == ENOENT ? .notFound : .inputOutput
    return CommandError(status, "\(name): \(String(cString: strerror(errno)))")
  }
}
