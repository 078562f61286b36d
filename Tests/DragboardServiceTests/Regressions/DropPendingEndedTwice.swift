import DBus
import DragboardInterface
import TestSupport
import Testing

@Suite("Regression: DropPending reported the end of a drop twice")
struct DropPendingEndedTwice {
  @Test(
    "If all items fail, one DropPending reports that no rows will follow, although the source still loads"
  )
  func sourceLoads() throws {
    let fixture = try PromiseFixture("--load-timeout", "0.5")
    let session = try fixture.source.drag([.silent])
    let other = try fixture.source.addItem(to: session)
    try fixture.source.promise(.silent, visibility: "own-process", item: other, of: session)
    let drop = fixture.dropper.beginDrop(session)
    #expect(fixture.log.waitForLoads(1))
    let load = fixture.dropper.send([
      call(DragSessionInterface.loadData, at: session, other, "*/*")
    ])
    #expect(fixture.log.waitForLoads(2))
    expect(.loadFailed, naming: "load-timeout") { _ = try drop.dropResult() }
    _ = load.errors()
    let notices = try fixture.client.takeSignals().pending.map(\.description)
    #expect(notices.first == "1 to 0.0, 0.0")
    #expect(notices.last == "0 to 0.0, 1.0")
    #expect(notices.count { $0.hasPrefix("0 ") } == 1, "\(notices)")
  }
}
