import DBus
import TestSupport
import Testing

@Suite("Regression: a connection was served after its release")
struct ReleasedWhileServed {
  @Test("A handler may release its connection while the loop runs")
  func releasedFromHandler() throws {
    let bus = try EchoBus()
    let loop = try EventLoop()
    var connections = try (0..<3).map { _ in try Connection(to: bus.bus.address, on: loop) }
    var turns = 0
    connections[0].onIterationEnd = {
      turns += 1
      connections = []
    }
    loop.schedule(after: .milliseconds(1)) { loop.stop() }
    loop.run()
    #expect(turns == 1)
  }
}
