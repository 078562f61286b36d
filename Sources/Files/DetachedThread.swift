internal import CLinux
import Glibc

/// A thread that is not joined.
package enum DetachedThread {
  /// Runs `body` on a new thread.
  ///
  /// The thread blocks SIGPIPE, so that writing to a closed pipe fails with EPIPE.
  ///
  /// - Parameters:
  ///   - stackSize: the size of the stack in bytes; nil means the system's default.
  ///   - body: the function of the thread.
  /// - Throws: the system's error if no thread can be started.
  package static func start(
    stackSize: Int? = nil, _ body: @escaping @Sendable () -> Void
  ) throws(SystemError) {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    if let stackSize { pthread_attr_setstacksize(&attributes, stackSize) }
    let argument = Unmanaged.passRetained(Body(body))
    var thread = pthread_t()
    let code = pthread_create(&thread, &attributes, runBody, argument.toOpaque())
    guard code == 0 else {
      argument.release()
      throw SystemError("pthread_create", code: code)
    }
  }
}

private final class Body {
  let run: @Sendable () -> Void
  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

private func runBody(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let argument else { return nil }
  var signals = sigset_t()
  sigemptyset(&signals)
  sigaddset(&signals, SIGPIPE)
  pthread_sigmask(SIG_BLOCK, &signals, nil)
  Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
  return nil
}
