import DragboardStore
import Files
import Glibc

extension PayloadWriter {
  /// The result of reading a part of a pipe.
  struct PipeResult: Sendable {
    fileprivate(set) var count = 0
    /// Whether the pipe is empty but its writer may still write.
    fileprivate(set) var isDry = false
    /// All bytes after the end of the pipe, or the reason why the pipe cannot be read; nil before
    /// the end.
    fileprivate(set) var end: Result<Payload, StoreError>?
  }

  /// The maximum number of bytes that one work job reads, so that other jobs can run in between.
  private static let maxBytesAtOnce = 1 << 20

  /// Appends the available bytes of a pipe, and finishes the payload at the end of the pipe.
  ///
  /// It may wait for the disk, so do not call it in the event loop.
  func append(from pipe: FileDescriptor) -> PipeResult {
    let buffer = UnsafeMutableRawBufferPointer.allocate(
      byteCount: FileDescriptor.pieceSize, alignment: 1)
    defer { buffer.deallocate() }
    var result = PipeResult()
    while result.count < Self.maxBytesAtOnce, result.end == nil, !result.isDry,
      firstInvalidByte == nil
    {
      appendSome(from: pipe, buffer, &result)
    }
    return result
  }

  private func appendSome(
    from pipe: FileDescriptor, _ buffer: UnsafeMutableRawBufferPointer, _ result: inout PipeResult
  ) {
    let got = read(pipe.number, buffer.baseAddress, buffer.count)
    if got < 0 {
      switch errno {
      case EINTR: return
      case EAGAIN: return result.isDry = true
      default: return result.end = .failure(.file(FileError(path: "pipe")))
      }
    }
    do throws(StoreError) {
      guard got > 0 else { return result.end = .success(try finish()) }
      try append(UnsafeRawBufferPointer(rebasing: buffer[..<got]))
      result.count += got
    } catch { result.end = .failure(error) }
  }
}
