import CLinux
import DBus
import Files
import Glibc

/// The error of `DragboardConnection.run` if a signal ended its body.
public struct Interrupted: Error, Hashable, Sendable, CustomStringConvertible {
  /// The signal's number.
  public let signal: Int32

  /// The error as text.
  public var description: String { "ended by signal \(signal)" }

  /// The signal that arrived while `DragboardConnection.run` runs; nil if no signal arrived.
  ///
  /// A body reads it if a system call fails with EINTR.
  public static var latest: Interrupted? {
    let signal = clinux_latest_caught()
    return signal == 0 ? nil : Interrupted(signal: signal)
  }
}

extension DragboardConnection {
  /// Connects to the bus and runs `body` on the calling thread, which serves the connection until
  /// `body` returns.
  ///
  /// Use it in command-line programs: it creates no thread, and awaiting the connection does not
  /// switch threads.
  /// - Parameters:
  ///   - address: the address of the bus (`unix:path=…`); nil for the session bus.
  ///   - isInterruptible: whether SIGINT, SIGTERM and SIGHUP cancel the task of `body`, which can
  ///     then clean up. A second signal ends the process at once.
  ///   - body: the work to do with the connection.
  /// - Returns: the result of `body`.
  /// - Throws: `noBus` if there is no bus; `Interrupted` after a signal; the errors of `body`.
  public static func run<Result: Sendable>(
    to address: String? = nil, isInterruptible: Bool = false,
    _ body: @escaping @Sendable (isolated DragboardConnection) async throws -> Result
  ) throws -> Result {
    let loop: EventLoop
    do throws(SystemError) { loop = try EventLoop() } catch { throw DragboardError(error) }
    let connection = try opened(address, on: loop, hasOwnThread: false)
    defer { connection.assumeIsolated { $0.close() } }
    let signals = isInterruptible ? try SignalDescriptor() : nil
    let job = LentThreadJob(body, on: connection)
    try signals?.watch(on: loop) { job.interrupt($0) }
    loop.run { job.result != nil }
    return try job.outcome()
  }
}

/// A task on the thread that serves the connection, and the result of the task.
///
/// Unchecked, because it is confined to the loop's thread.
private final class LentThreadJob<Value: Sendable>: @unchecked Sendable {
  private(set) var result: Result<Value, any Error>?
  private var task: Task<Void, Never>?
  private var signal: Int32?

  init(
    _ body: @escaping @Sendable (isolated DragboardConnection) async throws -> Value,
    on connection: DragboardConnection
  ) {
    task = Task(executorPreference: LoopExecutor(connection.loop)) {
      do { self.result = .success(try await body(connection)) } catch {
        self.result = .failure(error)
      }
    }
  }

  func interrupt(_ signal: Int32) {
    self.signal = signal
    task?.cancel()
  }

  func outcome() throws -> Value {
    if let signal { throw Interrupted(signal: signal) }
    guard let result else { throw DragboardError.cancelled }
    return try result.get()
  }
}

/// A descriptor from which SIGINT, SIGTERM and SIGHUP are read, as long as the value exists.
///
/// The second signal ends the process.
///
/// Source: sigaction(2).
private struct SignalDescriptor: ~Copyable {
  private let descriptor: FileDescriptor

  init() throws(DragboardError) {
    descriptor = FileDescriptor(adopting: clinux_catch(SIGINT, SIGTERM, SIGHUP))
    guard descriptor.number >= 0 else { throw DragboardError(SystemError("eventfd")) }
  }

  deinit { clinux_uncatch() }

  /// Calls `handler` with the number of each signal.
  borrowing func watch(
    on loop: EventLoop, _ handler: @escaping (Int32) -> Void
  ) throws(DragboardError) {
    do throws(SystemError) {
      try loop.watch(descriptor.number, for: .readable) { [descriptor] _ in
        let signal = clinux_caught(descriptor.number)
        if signal != 0 { handler(signal) }
      }
    } catch { throw DragboardError(error) }
  }
}
