import DBus
import DragboardInterface
import TestSupport
import Testing

@Suite("Cancelled loads")
struct PromiseCancellationTests {
  /// Begins a load, and waits until its loader has been called.
  private func beginLoad(
    _ fixture: PromiseFixture, as application: String = "org.target",
    _ steps: [LoadStep] = [.write([1]), .waitForBrokenPipe]
  ) throws -> (session: ObjectPath, load: Outstanding) {
    let session = try fixture.source.drag(type: "image/png", [steps])
    try fixture.accept(session, as: application)
    _ = fixture.client.takeSignals()
    let load = fixture.dropper.send([call(DragSessionInterface.loadData, at: session, 0, "*/*")])
    #expect(fixture.log.waitForLoads(1))
    return (session, load)
  }

  private func cancelled(_ session: ObjectPath, _ operation: String = "cancel") -> [String] {
    [
      "DidTransferItems [] [0]", "DidEnd \(operation)",
      "DragEnded \(session.element) org.source \(operation)",
    ]
  }

  @Test("A load ends when the source cancels: EPIPE for the loader, SessionEnded for the caller")
  func cancel() throws {
    let fixture = try PromiseFixture()
    let (session, load) = try beginLoad(fixture)
    try fixture.client.cancel(session)
    #expect(load.errors() == ["SessionEnded"])
    #expect(fixture.log.waitForBrokenPipes(1))
    #expect(fixture.client.takeWords() == cancelled(session))
  }

  @Test(
    "A load ends when the destination finishes: EPIPE for the loader, SessionEnded for the caller")
  func finish() throws {
    let fixture = try PromiseFixture()
    let (session, load) = try beginLoad(fixture)
    _ = try fixture.dropper.call(DragSessionInterface.finish, at: session)
    #expect(load.errors() == ["SessionEnded"])
    #expect(fixture.log.waitForBrokenPipes(1))
    #expect(fixture.client.takeWords() == cancelled(session, "copy"))
  }

  @Test("A load ends when the connection of the destination leaves: EPIPE, and the session ends")
  func destinationLeaves() throws {
    let fixture = try PromiseFixture()
    let (session, _) = try beginLoad(fixture, as: "")
    fixture.dropper.leave()
    #expect(fixture.log.waitForBrokenPipes(1))
    #expect(
      fixture.client.next("DragEnded").words == "DragEnded \(session.element) org.source cancel")
    #expect(try fixture.client.standing(of: session) == "ended cancel")
  }

  @Test(
    "A load ends when its caller leaves but its application stays: EPIPE, and the session goes on")
  func askerLeaves() throws {
    let fixture = try PromiseFixture()
    let (session, _) = try beginLoad(fixture)
    fixture.dropper.leave()
    #expect(fixture.log.waitForBrokenPipes(1))
    #expect(try fixture.client.standing(of: session) == "dropping copy")
    _ = try fixture.client.call(DragSessionInterface.finish, at: session)
    #expect(fixture.client.takeWords() == cancelled(session, "copy"))
  }

  @Test("A load with two callers continues when one of them leaves")
  func oneOfTwoLeaves() throws {
    let fixture = try PromiseFixture()
    let (session, _) = try beginLoad(fixture, [.write([1]), .wait("go"), .close, .reply])
    let other = fixture.client.send([call(DragSessionInterface.loadData, at: session, 0, "*/*")])
    fixture.dropper.leave()
    #expect(try fixture.daemon.client().standing(of: session) == "dropping copy")
    fixture.log.open("go")
    let bytes = try other.answer().arguments(as: [UInt8].self)
    #expect(bytes == [1])
    #expect(fixture.log.loads.count == 1)
    #expect(fixture.log.brokenPipes == [])
  }

  @Test(
    "A load ends when the connection of the source leaves: LoadFailed, and the destination goes on")
  func sourceLeaves() throws {
    let fixture = try PromiseFixture()
    let session = try fixture.source.drag(
      as: "", type: "image/png", [.gives([1]), [.write([1]), .wait("never")]])
    try fixture.accept(session)
    #expect(try fixture.load(session, 0) == [1])
    let load = fixture.dropper.send([call(DragSessionInterface.loadData, at: session, 1, "*/*")])
    #expect(fixture.log.waitForLoads(2))
    try fixture.source.leave()
    expect(.loadFailed, naming: "item 1", "left the bus") { _ = try load.answer() }
    #expect(try fixture.load(session, 0) == [1])
    _ = try fixture.dropper.call(DragSessionInterface.finish, at: session)
    #expect(fixture.client.takeWords().contains("DidTransferItems [0] [1]"))
  }

  @Test("A session does not end by the timeout while a load goes on")
  func sessionTimeout() throws {
    let fixture = try PromiseFixture("--session-timeout", "0.2", "--load-timeout", "0.8")
    let (session, load) = try beginLoad(fixture)
    expect(.loadFailed, naming: "load-timeout") { _ = try load.answer() }
    #expect(
      fixture.client.next("DragEnded").words == "DragEnded \(session.element) org.source cancel")
  }
}
