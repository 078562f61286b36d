import DBus
import Foundation

/// An event loop with its own thread.
final class LoopThread: Sendable {
  let loop: EventLoop
  private let hasEnded = DispatchSemaphore(value: 0)

  /// Calls `setUp` on the calling thread, then starts the loop's thread.
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

  /// Ends the loop and waits for its thread; after that any thread can release the served objects.
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
