import CLinux
import DBus
import Files
import Glibc

/// A watch that turns SIGTERM and SIGINT into events of the loop.
final class SignalWatch {
  /// Called for each signal.
  var onSignal: (() -> Void)?
  private let descriptor: FileDescriptor

  /// Blocks the two signals in this thread.
  ///
  /// The process must not have other threads yet.
  ///
  /// - Throws: `SystemError` if the process has no descriptor left.
  init(on loop: EventLoop) throws(SystemError) {
    descriptor = FileDescriptor(adopting: clinux_signalfd(SIGTERM, SIGINT))
    guard descriptor.number >= 0 else { throw SystemError("signalfd") }
    try loop.watch(descriptor.number, for: .readable) { [unowned self] _ in
      while clinux_signalfd_read(descriptor.number) != 0 { onSignal?() }
    }
  }
}
