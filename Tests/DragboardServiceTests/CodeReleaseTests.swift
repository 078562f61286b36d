import DBus
import DragboardInterface
import Foundation
import TestSupport
import Testing

@testable import DragboardService

@Suite("Code that is not in use", .timeLimit(.minutes(20)))
struct CodeReleaseTests {
  @Test("What code the start needed leaves the memory, and comes back for the calls that need it")
  func start() throws {
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

  /// Runs the loop until it is so; false where it is not for a minute.
  private func comes(_ local: LocalService, _ isSo: () -> Bool) -> Bool {
    var isLate = false
    let timer = local.loop.schedule(after: .seconds(60)) { isLate = true }
    defer { local.loop.cancel(timer) }
    local.loop.run { isSo() || isLate }
    return isSo()
  }

  @Test("It goes a while after each call that no other follows")
  func calls() throws {
    let local = try LocalService()
    var releases = 0
    let code = CodeRelease(local.service, quiet: .milliseconds(1)) { releases += 1 }
    for count in 1...3 {
      code.noteCall()
      code.noteCall()
      try #require(comes(local) { releases == count })
    }
  }

  @Test("It goes soon after a large content, whatever call came before")
  func large() throws {
    let local = try LocalService()
    var isReleased = false
    let code = CodeRelease(local.service, quiet: .seconds(3_600)) { isReleased = true }
    code.noteCall()
    code.noteLargeUse()
    #expect(comes(local) { isReleased })
  }
}
