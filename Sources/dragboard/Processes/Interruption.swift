import CLinux
import Glibc

/// Waits that a signal interrupts.
///
/// A signal that would end the process becomes an error, so that the command can clean up. All
/// waits of the demonstration for output use this type.
struct Interruption: ~Copyable {
  /// The time limit of a wait.
  static let limit = Duration.seconds(30)

  private let signals: [Int32]

  /// Blocks SIGINT, SIGTERM, SIGHUP and SIGQUIT in this thread, and ignores SIGPIPE in the process.
  init() throws(Failure) {
    signals = [clinux_signalfd(SIGINT, SIGTERM), clinux_signalfd(SIGHUP, SIGQUIT)]
    guard signals.allSatisfy({ $0 >= 0 }) else { throw .system("signalfd") }
    signal(SIGPIPE, SIG_IGN)
  }

  deinit { for descriptor in signals { close(descriptor) } }

  /// Waits until `descriptor` has bytes to read, or is at its end.
  ///
  /// - Parameters:
  ///   - descriptor: the descriptor to read.
  ///   - what: a name for the expected bytes, for error messages.
  ///   - process: the process that must not end during the wait; nil for none.
  /// - Throws: `interrupted` after a signal; `unexpected` if `process` ends; `late` after `limit`;
  ///   `system`.
  func waitToRead(
    _ descriptor: Int32, _ what: String, from process: ChildProcess? = nil
  ) throws(Failure) {
    let deadline = SuspendingClock.now + Self.limit
    var waiting = ([descriptor] + signals).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    // With empty events, poll reports only the end of the process's output.
    waiting.append(pollfd(fd: process?.output ?? -1, events: 0, revents: 0))
    while true {
      let left = max((deadline - .now) / .milliseconds(1), 0)
      let ready = poll(&waiting, nfds_t(waiting.count), Int32(left.rounded(.up)))
      if ready < 0, errno != EINTR { throw .system("poll") }
      try throwSignal()
      if waiting[0].revents != 0 { return }
      if let process, ready > 0 {
        throw .unexpected(
          what: what, expected: "output", actual: "the end of the process \(process.name)")
      }
      if ready == 0 { throw .late(what: what, limit: Self.limit) }
    }
  }

  private func throwSignal() throws(Failure) {
    for descriptor in signals {
      let signal = clinux_signalfd_read(descriptor)
      if signal != 0 { throw .interrupted(signal) }
    }
  }
}
