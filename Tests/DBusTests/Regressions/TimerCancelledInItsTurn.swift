import DBus
import Testing

@Suite("Regression: a cancelled timer fired")
struct TimerCancelledInItsTurn {
  @Test("A timer that another timer cancels in the same iteration does not fire")
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
