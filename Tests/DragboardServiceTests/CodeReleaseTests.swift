import DBus
import DragboardInterface
import Foundation
import TestSupport
import Testing

@Suite("Code that is not in use", .timeLimit(.minutes(20)))
struct CodeReleaseTests {
  @Test("What code the start needed leaves the memory, and comes back for the calls that need it")
  func code() throws {
    let daemon = try Daemon()
    let deadline = ContinuousClock.now + .seconds(60)
    while daemon.kibibytes("RssFile") > daemon.kibibytes("VmHWM") / 3 {
      try #require(ContinuousClock.now < deadline)
      usleep(10_000)
    }
    let client = try daemon.client()
    #expect(try client.insert(["a", "b"]).count == 2)
    _ = try client.wait(for: call(BoardInterface.undo))
    #expect(try client.texts() == [])
    let session = try client.drag(["c"])
    #expect(try client.get(ManagerInterface.sessions, at: Dragboard.root) == [session])
  }
}
