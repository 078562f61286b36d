import DragboardStore
import Files
import Glibc

extension PayloadWriter {
  /// Appends the available bytes of a pipe, and finishes the payload at the end of the pipe.
  ///
  /// It may wait for the disk, so do not call it in the event loop.
  func append(from pipe: FileDescriptor) -> PromiseOutput.Part {
    let buffer = UnsafeMutableRawBufferPointer.allocate(
      byteCount: FileDescriptor.pieceSize, alignment: 1)
    defer { buffer.deallocate() }
    var result = PromiseOutput.Part()
    while result.count < PromiseOutput.maxBytesAtOnce, result.end == nil, !result.isDry,
      firstInvalidByte == nil
    {
      appendSome(from: pipe, buffer, &result)
    }
    return result
  }

  private func appendSome(
    from pipe: FileDescriptor, _ buffer: UnsafeMutableRawBufferPointer,
    _ result: inout PromiseOutput.Part
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
      guard got > 0 else { return result.end = .success(.stored(try finish())) }
      try append(UnsafeRawBufferPointer(rebasing: buffer[..<got]))
      result.count += got
    } catch { result.end = .failure(error) }
  }
}
