import CLinux
import DragboardStore
import Files
import Glibc

/// The destination of the bytes that a loader writes.
enum PromiseOutput: Sendable {
  /// The bytes are stored.
  case store(PayloadWriter)
  /// The bytes pass to the pipe of a client.
  case pipe(FileDescriptor)

  /// The result of moving a part of the bytes.
  struct Part: Sendable {
    /// The number of moved bytes.
    var count = 0
    /// Whether the loader's pipe is empty but its writer may still write.
    var isDry = false
    /// Whether the client's pipe is full.
    var isFull = false
    /// The end of the loader's pipe, or the reason why it cannot be read; nil before the end.
    var end: Result<End, StoreError>?
  }

  /// The end of the loader's pipe.
  enum End: Sendable {
    /// All bytes, which were stored.
    case stored(Payload)
    /// The client has got all bytes.
    case passed
  }

  /// The maximum number of bytes that one work job moves, so that other jobs can run in between.
  static let maxBytesAtOnce = 1 << 20
  /// The number of bytes in a pipe between a loader and a client.
  private static let pipeByteCount = 1 << 20

  /// Makes a pipe that feeds another pipe hold more bytes, so that fewer jobs are needed.
  func prepare(_ pipe: FileDescriptor) {
    guard case .pipe(let output) = self else { return }
    for end in [pipe, output] { clinux_enlarge_pipe(end.number, Int32(Self.pipeByteCount)) }
  }

  /// Moves the available bytes of a pipe.
  ///
  /// It may wait for the disk, so do not call it in the event loop.
  func take(from pipe: FileDescriptor) -> Part {
    switch self {
    case .store(let writer): writer.append(from: pipe)
    case .pipe(let output): Self.pass(from: pipe, to: output)
    }
  }

  /// The offset of the first byte that the type of the promise does not allow; nil if there is none.
  var firstInvalidByte: Int? {
    if case .store(let writer) = self { writer.firstInvalidByte } else { nil }
  }

  /// Moves bytes between two pipes inside the kernel.
  private static func pass(from pipe: FileDescriptor, to output: FileDescriptor) -> Part {
    var part = Part()
    while part.count < maxBytesAtOnce {
      let moved = clinux_splice(output.number, pipe.number, maxBytesAtOnce - part.count)
      switch moved {
      case 1...: part.count += moved
      case 0:
        part.end = .success(.passed)
        return part
      default:
        switch errno {
        case EINTR: continue
        case EAGAIN: part.isDry = true
        case ENOBUFS: part.isFull = true
        default: part.end = .failure(.file(FileError(path: "fd")))
        }
        return part
      }
    }
    return part
  }
}
