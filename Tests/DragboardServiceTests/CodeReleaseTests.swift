import DBus
import DragboardInterface
import Foundation
import TestSupport
import Testing

@Suite("Code that is not in use", .timeLimit(.minutes(20)))
struct CodeReleaseTests {
  /// Waits until so little of what is in memory are files.
  private func wait(for kibibytes: Int, of daemon: Daemon) async throws {
    let deadline = ContinuousClock.now + .seconds(180)
    while daemon.kibibytes("RssFile") > kibibytes {
      try #require(ContinuousClock.now < deadline)
      try await Task.sleep(for: .milliseconds(10))
    }
  }

  @Test(
    "It leaves the memory after the start, and a minute after calls, and comes back for those that need it"
  )
  func code() async throws {
    let daemon = try Daemon()
    try await wait(for: daemon.kibibytes("VmHWM") / 3, of: daemon)
    let unused = daemon.kibibytes("RssFile")
    let client = try daemon.client()
    #expect(try client.insert(["a", "b"]).count == 2)
    _ = try client.wait(for: call(BoardInterface.undo))
    #expect(try client.texts() == [])
    let session = try client.drag(["c"])
    let used = daemon.kibibytes("RssFile")
    #expect(used > unused)
    try await wait(for: (unused + used) / 2, of: daemon)
    #expect(try client.get(ManagerInterface.sessions, at: Dragboard.root) == [session])
  }
}
