import CLinux
import DBus
import Files
import Glibc

/// The error of a body that was ended by a signal.
public struct Interrupted: Error, Hashable, Sendable, CustomStringConvertible {
  /// The signal's number.
  public let signal: Int32

  /// The same in words.
  public var description: String { "ended by signal \(signal)" }

  /// The signal that came while a body of `DragboardConnection.run` ran; nil if there was none.
  ///
  /// For a body that waits for the system, which then fails with EINTR, and not for the connection.
  public static var latest: Interrupted? {
    let signal = clinux_latest_caught()
    return signal == 0 ? nil : Interrupted(signal: signal)
  }
}

extension DragboardConnection {
  /// Connects to the bus and runs `body` on the calling thread, which serves the connection until
  /// `body` returns.
  ///
  /// For command-line programs: no thread is created, and awaiting the connection changes none.
  /// - Parameters:
  ///   - address: address of the bus (`unix:path=…`); nil is the session bus.
  ///   - isInterruptible: whether SIGINT, SIGTERM and SIGHUP cancel the task, so that it can clean
  ///     up; a second signal exits at once.
  ///   - body: uses the connection.
  /// - Returns: the result of `body`.
  /// - Throws: `noBus`; `Interrupted` after a signal; or what `body` throws.
  public static func run<Result: Sendable>(
    to address: String? = nil, isInterruptible: Bool = false,
    _ body: @escaping @Sendable (isolated DragboardConnection) async throws -> Result
  ) throws -> Result {
    let loop: EventLoop
    do throws(SystemError) { loop = try EventLoop() } catch { throw DragboardError(error) }
    let connection = try opened(address, on: loop, hasOwnThread: false).get()
    defer { connection.assumeIsolated { $0.close() } }
    let outcome = Outcome<Result>()
    let signals = isInterruptible ? try SignalDescriptor() : nil
    let task = connection.assumeIsolated { $0.start(body, into: outcome) }
    try signals?.watch(on: loop) { signal in
      outcome.signal = signal
      task.cancel()
    }
    loop.run { outcome.result != nil }
    if let signal = outcome.signal { throw Interrupted(signal: signal) }
    guard let result = outcome.result else { throw DragboardError.cancelled }
    return try result.get()
  }

  /// The outcome of a body.
  ///
  /// Unchecked, because it is set and read on the loop's thread alone.
  private final class Outcome<Value: Sendable>: @unchecked Sendable {
    var result: Result<Value, any Error>?
    var signal: Int32?
  }

  private func start<Value>(
    _ body: @escaping @Sendable (isolated DragboardConnection) async throws -> Value,
    into outcome: Outcome<Value>
  ) -> Task<Void, Never> {
    Task(executorPreference: LoopExecutor(loop)) {
      do { outcome.result = .success(try await body(self)) } catch {
        outcome.result = .failure(error)
      }
    }
  }
}

/// A descriptor that reads SIGINT, SIGTERM and SIGHUP during the value's life; the second signal
/// ends the process.
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
