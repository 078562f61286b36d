import ArgumentParser
import DragboardClient
import Files
import Glibc

struct Restart: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restart", abstract: "Restart the daemon.",
    discussion: """
      The daemon then has the installed version, and reads its configuration again. The boards stay; active drags end. If \
      the daemon does not run, it is started. If the bus cannot start it, nothing changes, and the exit code is 69.

      If the shelf, the clipboard bridge or the link is older than the installed version, it restarts, too. Without this \
      command, an update replaces running programs when no drag and no view is open.

      EXAMPLES:
        dragboard restart
      """)

  @OptionGroup var notice: NoticeOptions
  @OptionGroup var connection: ConnectionOptions

  /// The time within which the daemon must end.
  ///
  /// It needs at most 5 s; the rest is for a busy machine.
  private static let limit = Duration.seconds(20)
  private static let interval = Duration.milliseconds(20)

  func run() throws {
    try run(on: connection) { dragboard in
      guard try await dragboard.daemon.isActivatable() else {
        throw CommandError(
          .noDaemon, "the bus cannot start the daemon, so it was not restarted",
          remedy: "To show the remedy: \(SuggestedCall("doctor", hasBoard: false))")
      }
      if try await dragboard.daemon.isRunning() {
        let id = try await dragboard.daemon.processID()
        guard kill(id, SIGTERM) == 0 else { throw Failure.system("kill \(id)") }
        try await waitForEnd(of: id, on: dragboard)
      }
      // The first call starts the daemon.
      let version = try await dragboard.daemon.version()
      let id = try await dragboard.daemon.processID()
      if !notice.quiet {
        try Console.writeLine("The daemon \(version) runs as process \(id).")
      }
    }
  }

  private func waitForEnd(of id: Int32, on dragboard: DragboardConnection) async throws {
    let deadline = ContinuousClock.now + Self.limit
    // The daemon may end between two calls; then the call fails.
    while kill(id, 0) == 0, (try? await dragboard.daemon.processID()) == id {
      guard ContinuousClock.now < deadline else {
        throw CommandError(
          .failure, "process \(id) has not ended within \(Self.limit)",
          remedy: "To end it: kill -KILL \(id)")
      }
      try await Task.sleep(for: Self.interval)
    }
  }
}
