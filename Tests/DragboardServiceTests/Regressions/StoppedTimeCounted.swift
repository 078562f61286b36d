import DBus
import DragboardInterface
import Foundation
import TestSupport
import Testing

@Suite(
  "Regression: the time while the daemon was stopped counted toward timeouts")
struct StoppedTimeCounted {
  /// Stops the daemon for twice as long as its longest timeout, and runs `body` meanwhile.
  private func whileStopped<Result>(
    _ daemon: Daemon, _ body: () throws -> Result
  ) rethrows -> Result {
    daemon.signal(SIGSTOP)
    defer { daemon.signal(SIGCONT) }
    let result = try body()
    // No event marks this time: it must pass on the clock of the timeouts.
    usleep(2_000_000)
    return result
  }

  @Test("A used session stays active, even if its call is queued behind a full socket")
  func use() throws {
    let daemon = try Daemon("--session-timeout", "1")
    let client = try daemon.client()
    let others = try (0..<4).map { _ in try daemon.client() }
    let session = try client.drag(["x"])
    let ping = OutgoingMessage.call(
      "Ping", of: PeerInterface.name, at: Dragboard.root, to: Dragboard.busName)
    let outstanding = whileStopped(daemon) {
      (
        others.map { $0.send(Array(repeating: ping, count: 1_000)) },
        client.send([call(DragSessionInterface.canLoad, at: session, "*/*")])
      )
    }
    #expect(outstanding.1.errors() == [""])
    for pings in outstanding.0 { #expect(Set(pings.errors()) == [""]) }
    #expect(try client.standing(of: session) == "active ")
  }

  @Test("An unused session has the rest of its timeout")
  func rest() throws {
    let daemon = try Daemon("--session-timeout", "1")
    let client = try daemon.client()
    let session = try client.drag(["x"])
    whileStopped(daemon) {}
    #expect(try client.standing(of: session) == "active ")
    #expect(client.next("DragEnded").words == "DragEnded \(session.element) org.source cancel")
  }

  @Test(
    "A promise that was kept while the daemon was stopped counts as kept", arguments: [1, 300_000])
  func promise(byteCount: Int) throws {
    let fixture = try PromiseFixture("--load-timeout", "1")
    let bytes = pattern(byteCount)
    let steps = [.wait("stop")] + [LoadStep].gives(bytes)
    let session = try fixture.source.drag(type: "application/octet-stream", [steps])
    try fixture.accept(session)
    let load = fixture.dropper.send([
      call(DragSessionInterface.loadData, at: session, 0, "*/*")
    ])
    try #require(fixture.log.waitForLoads(1))
    whileStopped(fixture.daemon) { fixture.log.open("stop") }
    let answer = try #require(load.all().first)
    #expect(try answer.get().arguments(as: [UInt8].self) == bytes)
  }

  @Test("A loader that was stopped with the daemon has the rest of its timeout")
  func loader() throws {
    let fixture = try PromiseFixture("--load-timeout", "1")
    let steps = [.wait("stop")] + [LoadStep].gives([1])
    let session = try fixture.source.drag(type: "application/octet-stream", [steps])
    try fixture.accept(session)
    let load = fixture.dropper.send([
      call(DragSessionInterface.loadData, at: session, 0, "*/*")
    ])
    try #require(fixture.log.waitForLoads(1))
    whileStopped(fixture.daemon) {}
    fixture.log.open("stop")
    #expect(load.errors() == [""])
  }
}
