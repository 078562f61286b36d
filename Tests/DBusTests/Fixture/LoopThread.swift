import DBus
import Foundation

/// An event loop with a thread of its own.
final class LoopThread: Sendable {
  let loop: EventLoop
  private let hasEnded = DispatchSemaphore(value: 0)

  /// Sets the loop up by `setUp`, on the calling thread, then lends it a thread.
  init(_ setUp: (EventLoop) throws -> Void = { _ in }) throws {
    loop = try EventLoop()
    try setUp(loop)
    let thread = Thread { [loop, hasEnded] in
      loop.run()
      hasEnded.signal()
    }
    thread.stackSize = 1 << 20
    thread.start()
  }

  /// Ends the loop and waits for its thread; what it served can be released from any thread then.
  func stop() {
    loop.stop()
    hasEnded.wait()
    hasEnded.signal()
  }

  /// Runs `body` on the loop and returns its result.
  func run<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
      loop.perform { continuation.resume(returning: body()) }
    }
  }
}
