import DBus
import DragboardInterface
import Foundation
import TestSupport
import Testing

/// Loaders that sent a byte from time to time were never silent, and held all 256 slots for ever.
@Suite("Regression: slow loaders held all slots")
struct SlowLoadersHeldAllSlots {
  /// Fills all slots with 256 loads whose loaders carry out these steps; returns the drops.
  private func fillSlots(_ fixture: PromiseFixture, _ loader: [LoadStep]) throws -> [Outstanding] {
    fixture.others = try (0..<16).map { _ in try PromisingClient(on: fixture.daemon.bus) }
    let drops = try fixture.others.map { source in
      fixture.dropper.beginDrop(try source.drag([[LoadStep]](repeating: loader, count: 16)))
    }
    for source in fixture.others { #expect(source.log.waitForLoads(16)) }
    return drops
  }

  @Test("The first load of a connection starts during 256 other loads")
  func first() throws {
    let fixture = try PromiseFixture()
    let drops = try fillSlots(fixture, .gives("x", after: "go"))
    let session = try fixture.source.drag([.gives("first")])
    #expect(try fixture.client.drop(session).items.count == 1)
    for source in fixture.others { source.log.open("go") }
    for drop in drops { #expect(try drop.dropResult().items.count == 16) }
  }

  @Test("If loads wait, a load with less than 64 KiB within the load timeout is cancelled")
  func slowest() throws {
    let fixture = try PromiseFixture("--load-timeout", "1")
    // A loader that sends a byte every 300 ms is not silent.
    _ = try fillSlots(fixture, [.trickle])
    let session = try fixture.source.drag([.gives("a", after: "go"), .gives("b")])
    try fixture.accept(session)
    // The first load of a connection needs no slot.
    _ = fixture.dropper.send([call(DragSessionInterface.loadText, at: session, 0)])
    #expect(fixture.log.waitForLoads(1))
    #expect(try fixture.load(session, 1) == Array("b".utf8))
    let deadline = ContinuousClock.now + .seconds(30)
    while fixture.others.allSatisfy(\.log.brokenPipes.isEmpty) {
      try #require(ContinuousClock.now < deadline)
      usleep(10_000)
    }
  }
}
