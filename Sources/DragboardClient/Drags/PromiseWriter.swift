import DBus
import Files
import Glibc
import Synchronization

/// The destination of promised bytes: a pipe to the daemon.
public final class PromiseWriter: Sendable {
  /// The error of a write if the bytes are no longer needed.
  public struct NotWanted: Error, CustomStringConvertible {
    /// The error as text.
    public var description: String { "the bytes are no longer needed" }
  }

  /// The write end of the pipe; nil after the promise was fulfilled or has failed.
  private let file: Mutex<FileDescriptor?>

  init(_ file: FileDescriptor) { self.file = Mutex(file) }

  /// Closes the pipe, which marks the end of the bytes.
  func close() { file.withLock { $0 = nil } }

  /// Calls `body` with the write end of the pipe, for example to make it a process's standard
  /// output.
  ///
  /// The write end is closed when `write` of the promise returns. If `body` duplicates it, it must
  /// close the duplicate, too.
  /// - Throws: `NotWanted` if the promise was fulfilled or has failed; the errors of `body`.
  public func withDescriptor<Result>(_ body: (Int32) throws -> Result) throws -> Result {
    guard let file = file.withLock(\.self) else { throw NotWanted() }
    return try withExtendedLifetime(file) { try body(file.number) }
  }

  /// Writes all bytes; blocks while the pipe is full.
  ///
  /// - Throws: `NotWanted` if the bytes are no longer needed; `DragboardError` for other errors of
  ///   the system.
  public func write(_ bytes: UnsafeRawBufferPointer) throws {
    try withDescriptor { descriptor in
      var rest = bytes[...]
      while !rest.isEmpty {
        let piece = UnsafeRawBufferPointer(rebasing: rest)
        let count = Glibc.write(descriptor, piece.baseAddress, piece.count)
        if count < 0, errno == EINTR { continue }
        guard count >= 0 || errno != EPIPE else { throw NotWanted() }
        guard count >= 0 else { throw DragboardError(SystemError("write")) }
        rest = rest.dropFirst(count)
      }
    }
  }

  /// Writes all bytes; blocks while the pipe is full.
  ///
  /// - Throws: `NotWanted` if the bytes are no longer needed; `DragboardError` for other errors of
  ///   the system.
  public func write(_ bytes: [UInt8]) throws { try bytes.withUnsafeBytes { try write($0) } }
}
