import DBus
import DragboardInterface
import Foundation
import TestSupport
import Testing

@Suite(
  "Regression: a hanging file of a client kept the locks of a daemon that had ended",
  .enabled(if: HungFileSystem.isPossible))
struct HungFileKeptLocks {
  @Test("A daemon starts although its predecessor hangs in the kernel, and its log names it")
  func successor() throws {
    let daemon = try Daemon("--load-timeout", "0.4")
    // The process of the daemon ends only after the file system.
    try withExtendedLifetime(daemon) { try startSuccessor(of: daemon) }
  }

  private func startSuccessor(of daemon: Daemon) throws {
    let files = try HungFileSystem(readsDirectly: true)
    try daemon.client().insert(["row"])
    let client = try daemon.client()
    _ = try client.get(BoardInterface.count)
    _ = client.send([
      call(BoardInterface.insertFile, 0, -1, "image/png", try files.file())
    ])
    client.leave()
    let deadline = ContinuousClock.now + .seconds(30)
    while files.reads < 1 {
      try #require(ContinuousClock.now < deadline)
      usleep(1_000)
    }
    daemon.signal(SIGTERM)
    let successor = try Daemon([], on: daemon.bus)
    #expect(try successor.client().texts() == ["row"])
    // The earlier process still exists.
    #expect(kill(daemon.id, 0) == 0)
    while let line = successor.nextLogLine() {
      if line.contains("process \(daemon.id)") { break }
    }
    withExtendedLifetime(files) {}
  }
}
