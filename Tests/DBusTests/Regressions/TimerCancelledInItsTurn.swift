import DBus
import Testing

@Suite("Regression: a cancelled timer went off", .timeLimit(.minutes(20)))
struct TimerCancelledInItsTurn {
  @Test("A timer that another one cancels in the same turn does not go off")
  func cancelInTheSameTurn() throws {
    let loop = try EventLoop()
    var lines: [String] = []
    var second: Timer?
    loop.schedule(after: .zero) {
      lines.append("first")
      second.map { loop.cancel($0) }
    }
    second = loop.schedule(after: .zero) { lines.append("second") }
    loop.schedule(after: .zero) { lines.append("third") }
    loop.run(until: { lines.last == "third" })
    #expect(lines == ["first", "third"])
  }
}
