import DBus
import Files
import Glibc

/// A thread that is not joined.
enum DetachedThread {
  /// Runs `body` on a new thread.
  ///
  /// The thread blocks SIGPIPE, so that writing to a closed pipe fails with EPIPE.
  static func start(_ body: @escaping @Sendable () -> Void) throws(SystemError) {
    let argument = Unmanaged.passRetained(Body(body))
    var thread = pthread_t()
    let code = pthread_create(&thread, nil, runBody, argument.toOpaque())
    guard code == 0 else {
      argument.release()
      throw SystemError("pthread_create", code: code)
    }
    pthread_detach(thread)
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
