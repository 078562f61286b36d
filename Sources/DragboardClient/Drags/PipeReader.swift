import DBus
import Files
import Glibc
import Synchronization

/// The reader of a pipe, on a separate thread, so that the reader may block.
final class PipeReader: Sendable {
  private struct State {
    var result: Result<Void, any Error>?
    var waiter: CheckedContinuation<Void, any Error>?
  }

  private let reading: FileDescriptor
  /// The write end of the pipe, until it is sent.
  private let writing: Mutex<FileDescriptor?>
  /// The read end of a pipe without bytes.
  ///
  /// When its write end is closed, the thread ends.
  private let stopped: FileDescriptor
  private let stop: Mutex<FileDescriptor?>
  private let state = Mutex(State())

  private static let pieceByteCount = 1 << 20

  /// Makes a pipe.
  ///
  /// - Throws: `inputOutput` if the process has no descriptor left.
  init() throws(DragboardError) {
    do throws(SystemError) {
      let pipe = try FileDescriptor.makePipe(isBlocking: false)
      let signal = try FileDescriptor.makePipe(isBlocking: false)
      reading = pipe.reading
      writing = Mutex(pipe.writing)
      stopped = signal.reading
      stop = Mutex(signal.writing)
    } catch { throw DragboardError(error) }
  }

  /// Starts to read, until the pipe ends or `body` throws an error.
  ///
  /// - Parameter body: receives the bytes, in order, in chunks of at most 1 MiB, on a separate thread.
  /// - Throws: `inputOutput` if no thread can be started.
  func start(
    _ body: @escaping @Sendable (UnsafeRawBufferPointer) throws -> Void
  ) throws(DragboardError) {
    do throws(SystemError) {
      try DetachedThread.start { [self] in conclude(Result { try readAll(body) }) }
    } catch { throw DragboardError(error) }
  }

  /// Calls `body` with the write end, and closes this process's copy afterwards.
  func withWriteEnd<Output: Sendable>(
    _ body: (FileDescriptor) async throws(DragboardError) -> Output
  ) async throws(DragboardError) -> Output {
    defer { writing.withLock { $0 = nil } }
    guard let end = writing.withLock({ $0 }) else {
      throw DragboardError(.inputOutput, "the pipe is closed")
    }
    return try await body(end)
  }

  /// Waits until all bytes are read.
  ///
  /// - Throws: the error of `body`; `inputOutput`.
  func end() async throws {
    try await withCheckedThrowingContinuation { waiter in
      let result = state.withLock { state in
        if state.result == nil { state.waiter = waiter }
        return state.result
      }
      if let result { waiter.resume(with: result) }
    }
  }

  /// Ends the thread without waiting for the end of the pipe, unless `body` is running.
  func cancel() { stop.withLock { $0 = nil } }

  /// The error of `body`, if it has failed.
  var failure: (any Error)? {
    guard case .failure(let error)? = state.withLock({ $0.result }) else { return nil }
    return error
  }

  private func conclude(_ result: Result<Void, any Error>) {
    let waiter = state.withLock { state in
      state.result = result
      return state.waiter.take()
    }
    waiter?.resume(with: result)
  }

  private func readAll(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    let piece = UnsafeMutableRawBufferPointer.allocate(
      byteCount: Self.pieceByteCount, alignment: 16)
    defer { piece.deallocate() }
    while try awaitBytes() {
      let count = read(reading.number, piece.baseAddress, piece.count)
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      guard count >= 0 else { throw DragboardError(SystemError("read")) }
      guard count > 0 else { return }
      try body(UnsafeRawBufferPointer(rebasing: piece[..<count]))
    }
  }

  /// Waits until the pipe has bytes or has ended; returns false after `cancel`.
  private func awaitBytes() throws -> Bool {
    var watched = [reading, stopped].map {
      pollfd(fd: $0.number, events: Int16(POLLIN), revents: 0)
    }
    while poll(&watched, nfds_t(watched.count), -1) < 0 {
      guard errno == EINTR else { throw DragboardError(SystemError("poll")) }
    }
    return watched[1].revents == 0
  }
}
