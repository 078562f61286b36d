import DragboardClient
import Files
import Glibc
import Synchronization

/// The report about a daemon that does not reply, while a command waits for it.
///
/// Another connection asks, because the command's own calls are answered in order, and a long one could
/// delay the answer.
final class ReplyWatch: Sendable {
  private let isOver = Mutex(false)
  private let address: String?

  /// The time before the daemon is asked, in microseconds.
  ///
  /// Most commands end before. The daemon then has as much time as `Deadline` allows.
  private static let delay: UInt32 = 250_000

  /// Starts to watch the daemon of a bus.
  init(address: String?) {
    self.address = address
    // If there is no thread, the call's own timeout reports the fault.
    try? DetachedThread.start(stackSize: 256 << 10) { [self] in watch() }
  }

  /// Ends the watch, because the command ends.
  func end() { isOver.withLock { $0 = true } }

  private func watch() {
    usleep(Self.delay)
    guard !isOver.withLock({ $0 }), let fault = fault() else { return }
    isOver.withLock { isOver in
      guard !isOver else { return }
      isOver = true
      Console.writeError(
        TerminalText("The daemon does not reply: \(fault). Waiting …").text + "\n"
          + TerminalText("To show the remedy: \(SuggestedCall("doctor", hasBoard: false))").text
          + "\n")
    }
  }

  /// Returns the words for a daemon that is on the bus and does not reply; nil for any other daemon.
  private func fault() -> String? {
    try? DragboardConnection.run(to: address) { dragboard in
      guard try await dragboard.daemon.isRunning() else { return nil }
      let id = try await dragboard.daemon.processID()
      let version = try await Deadline.run { try await dragboard.daemon.version() }
      return version == nil ? "process \(id)" : nil
    }
  }
}
