import CDataControl
import DBus
import DragboardClient
import Files
import Glibc

/// A read from a pipe into a buffer, which ends at the end of the pipe or when it is cancelled.
@ClipboardActor final class PipeReading {
  /// The time from the end of a program's pipe to the end of its connection with the display.
  ///
  /// When a program exits, the kernel closes its latest files first, one after another. On a busy
  /// machine, other programs run in between: in 10,000 exits, the longest time was 175 ms.
  static let exitTime = Duration.milliseconds(200)

  private let loop: EventLoop
  private let pipe: FileDescriptor
  private var completion: ((Result<Void, ReadError>) -> Void)?

  /// Starts the read.
  ///
  /// `completion` is called once, unless the read is cancelled.
  init(
    _ pipe: FileDescriptor, into buffer: CopyBuffer, on loop: EventLoop,
    whenDone completion: @escaping (Result<Void, ReadError>) -> Void
  ) {
    (self.loop, self.pipe, self.completion) = (loop, pipe, completion)
    _ = data_control_set_nonblocking(pipe.number)
    do throws(SystemError) {
      try loop.watch(pipe.number, for: .readable) { [unowned self] _ in read(into: buffer) }
    } catch { finish(.failure(.system("\(error)"))) }
  }

  /// Stops reading.
  func cancel() {
    guard completion != nil else { return }
    completion = nil
    loop.unwatch(pipe.number)
  }

  private func finish(_ result: Result<Void, ReadError>) {
    let completion = completion
    cancel()
    completion?(result)
  }

  /// Reads a part at a time, so that a fast writer does not block the loop.
  private func read(into buffer: CopyBuffer) {
    withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 16) { piece in
      let count = Glibc.read(pipe.number, piece.baseAddress, piece.count)
      if count < 0 {
        if errno != EAGAIN, errno != EINTR { finish(.failure(.refused)) }
        return
      }
      guard count > 0 else { return finish(.success(())) }
      do throws(ReadError) {
        try buffer.append(UnsafeRawBufferPointer(rebasing: piece[..<count]))
      } catch { finish(.failure(error)) }
    }
  }
}

/// The writes of files to the pipes of programs that paste.
@ClipboardActor final class PipeWritings {
  /// The time without progress after which a write is cancelled.
  private static let timeout = Duration.seconds(30)
  private static let maxWritings = 64

  private let loop: EventLoop
  private var writings: [Int32: PipeWriting] = [:]

  /// Creates an empty group of writes.
  init(on loop: EventLoop) { self.loop = loop }

  /// Writes a file to a pipe and closes the pipe.
  ///
  /// `completion` gets whether all bytes were written.
  func write(
    _ file: ReceivedFile, to pipe: FileDescriptor, whenDone completion: @escaping (Bool) -> Void
  ) {
    guard writings.count < Self.maxWritings else { return completion(false) }
    _ = data_control_set_nonblocking(pipe.number)
    let writing = PipeWriting(file, pipe, completion)
    writings[pipe.number] = writing
    do throws(SystemError) {
      try loop.watch(pipe.number, for: .writable) { [unowned self] _ in advance(writing) }
    } catch { return finish(writing, false) }
    schedule(writing)
  }

  private func schedule(_ writing: PipeWriting) {
    if let timer = writing.timer { loop.cancel(timer) }
    writing.timer = loop.schedule(after: Self.timeout) { [weak self] in
      self?.finish(writing, false)
    }
  }

  private func advance(_ writing: PipeWriting) {
    switch writing.writeSome() {
    case .more: schedule(writing)
    case .full: break
    case .end: finish(writing, true)
    case .failed: finish(writing, false)
    }
  }

  private func finish(_ writing: PipeWriting, _ isComplete: Bool) {
    guard writings.removeValue(forKey: writing.pipe.number) != nil else { return }
    if let timer = writing.timer { loop.cancel(timer) }
    loop.unwatch(writing.pipe.number)
    writing.closePipe()
    writing.completion(isComplete)
  }
}

/// A write of a file to a pipe.
@ClipboardActor private final class PipeWriting {
  enum Progress { case more, full, end, failed }

  private let file: ReceivedFile
  private(set) var pipe: FileDescriptor
  let completion: (Bool) -> Void
  var timer: Timer?
  private var offset = 0

  init(_ file: ReceivedFile, _ pipe: FileDescriptor, _ completion: @escaping (Bool) -> Void) {
    (self.file, self.pipe, self.completion) = (file, pipe, completion)
  }

  /// Closes the pipe.
  ///
  /// Must be called before the completion, which may report the end of the write.
  func closePipe() { pipe = FileDescriptor(adopting: -1) }

  func writeSome() -> Progress {
    withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 16) { piece in
      guard let count = try? file.read(from: offset, into: piece) else { return .failed }
      guard count > 0 else { return .end }
      let written = write(pipe.number, piece.baseAddress, count)
      if written < 0 { return errno == EAGAIN || errno == EINTR ? .full : .failed }
      offset += written
      return .more
    }
  }
}
