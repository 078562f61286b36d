import DBus
import DragboardStore
import Files
import Glibc

struct PipeReading: Sendable {
  private(set) var count = 0
  /// Whether the pipe is empty but its writer may still write.
  private(set) var isDry = false
  /// All bytes after the end of the pipe, or the reason why the pipe cannot be read; nil before the
  /// end.
  private(set) var end: Result<Payload, StoreError>?

  /// The maximum number of bytes that one work job reads, so that other jobs can run in between.
  private static let most = 1 << 20

  /// Reads the available bytes.
  ///
  /// It may wait for the disk, so do not call it in the event loop.
  init(from pipe: FileDescriptor, into writer: PayloadWriter) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(
      byteCount: FileDescriptor.pieceSize, alignment: 1)
    defer { buffer.deallocate() }
    while count < Self.most, end == nil, !isDry, writer.firstInvalidByte == nil {
      readSome(pipe, buffer, writer)
    }
  }

  private mutating func readSome(
    _ pipe: FileDescriptor, _ buffer: UnsafeMutableRawBufferPointer, _ writer: PayloadWriter
  ) {
    let got = read(pipe.number, buffer.baseAddress, buffer.count)
    if got < 0 {
      switch errno {
      case EINTR: return
      case EAGAIN: return isDry = true
      default: return end = .failure(.file(FileError(path: "pipe")))
      }
    }
    do throws(StoreError) {
      guard got > 0 else { return end = .success(try writer.finish()) }
      try writer.append(UnsafeRawBufferPointer(rebasing: buffer[..<got]))
      count += got
    } catch { end = .failure(error) }
  }
}
