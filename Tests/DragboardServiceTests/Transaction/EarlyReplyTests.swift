import DBus
import DragboardInterface
import Foundation
import TestSupport
import Testing

/// A commit waits for the disk; calls that do not depend on it do not.
@Suite("Replies before the commit")
struct EarlyReplyTests {
  @Test("A reply before the first edit of a batch is sent before the commit")
  func beforeTheCommit() throws {
    let fixture = try StorageFaultTests.Fixture()
    let (commitBegan, mayCommit) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    fixture.service.orders.onCommit {
      commitBegan.signal()
      mayCommit.wait()
    }
    let calls = [getting(BoardInterface.count), call(BoardInterface.insertText, 0, -1, "x")]
    let outstanding = fixture.service.whilePaused { fixture.client.send(calls) }
    #expect(commitBegan.wait(timeout: .now() + 60) == .success)
    fixture.client.connection.loop.wait(within: .seconds(60)) { outstanding.answered > 0 }
    #expect(outstanding.answers.map { $0 != nil } == [true, false])
    fixture.service.orders.onCommit(nil)
    mayCommit.signal()
    #expect(outstanding.errors() == ["", ""])
    #expect(try fixture.client.get(BoardInterface.count) == 4)
  }
}
