import DBus
import Testing

@Suite("Regression: a loop kept waiting after its condition was true")
struct RunUntilATimer {
  @Test("A loop whose condition a timer has made true ends at once")
  func done() throws {
    let loop = try EventLoop()
    var isDone = false
    loop.schedule(after: .zero) { isDone = true }
    loop.run(until: { isDone })
    #expect(isDone)
  }
}
