import DBus
import Testing

@Suite("Regression: a loop that was done went on waiting", .timeLimit(.minutes(20)))
struct RunUntilATimer {
  @Test("A loop that a timer has made done waits for nothing more")
  func done() throws {
    let loop = try EventLoop()
    var isDone = false
    loop.schedule(after: .zero) { isDone = true }
    loop.run(until: { isDone })
    #expect(isDone)
  }
}
