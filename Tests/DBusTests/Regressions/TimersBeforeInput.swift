import DBus
import Files
import Testing

@Suite("Regression: timers fired before arrived messages were read")
struct TimersBeforeInput {
  /// A loop with a clock that only the test moves.
  private final class Scene {
    let loop: EventLoop
    private(set) var lines: [String] = []
    private let time: Time

    private final class Time { var now = SuspendingClock.now }

    init() throws {
      let time = Time()
      self.time = time
      loop = try EventLoop(reading: { time.now })
    }

    func note(_ line: String) { lines.append(line) }

    /// Moves the clock.
    func pass(_ time: Duration) { self.time.now += time }

    /// Runs the loop until that many lines are noted.
    func run(until count: Int) { loop.run(until: { lines.count >= count }) }
  }

  @Test("After a long stop, a due timer fires when all input has been read")
  func inputFirst() throws {
    let scene = try Scene()
    scene.loop.schedule(after: .milliseconds(1)) { scene.note("timer") }
    // Each message makes the next pipe readable, so several iterations have input.
    let pipes = try (0..<20).map { _ in try Pipe() }
    for (index, pipe) in pipes.enumerated() {
      try scene.loop.watch(pipe.read.number, for: .readable) { _ in
        scene.loop.unwatch(pipe.read.number)
        scene.note("input")
        if index + 1 < pipes.count { pipes[index + 1].put() }
      }
    }
    pipes[0].put()
    scene.pass(.seconds(40))
    scene.run(until: 21)
    #expect(scene.lines == Array(repeating: "input", count: 20) + ["timer"])
  }

  @Test("The tasks of other threads run before a timer, too")
  func performedFirst() throws {
    let scene = try Scene()
    scene.loop.schedule(after: .milliseconds(1)) { scene.note("timer") }
    // The value stays on one thread, because this thread runs the loop.
    nonisolated(unsafe) let unsafeScene = scene
    scene.loop.perform { unsafeScene.note("input") }
    scene.pass(.seconds(40))
    scene.run(until: 2)
    #expect(scene.lines == ["input", "timer"])
  }

  @Test("A flood of input delays timers for at most a tenth of a second")
  func flood() throws {
    let scene = try Scene()
    scene.loop.schedule(after: .milliseconds(1)) { scene.note("timer") }
    let pipe = try Pipe()
    pipe.put()
    var iterations = 0
    try scene.loop.watch(pipe.read.number, for: .readable) { _ in
      iterations += 1
      scene.pass(.milliseconds(10))
    }
    scene.pass(.seconds(40))
    scene.run(until: 1)
    #expect((8...12).contains(iterations))
  }

  @Test("A pause of the loop counts as at most half a second")
  func heldUp() throws {
    let scene = try Scene()
    var uptimes: [Duration] = []
    scene.loop.schedule(after: .seconds(2)) { uptimes.append(scene.loop.uptime) }
    let start = scene.loop.uptime
    for _ in 0..<3 {
      scene.loop.schedule(after: .zero) { scene.note("early") }
      scene.pass(.seconds(3_600))
      scene.run(until: scene.lines.count + 1)
    }
    #expect(uptimes.isEmpty)
    scene.loop.schedule(after: .zero) { scene.note("last") }
    scene.pass(.seconds(3_600))
    scene.run(until: 4)
    scene.loop.run(until: { !uptimes.isEmpty })
    #expect(uptimes.first.map { $0 - start } == .seconds(2))
  }

  @Test("A timer with the maximum delay does not overflow")
  func longestDelay() throws {
    let scene = try Scene()
    scene.loop.schedule(after: .seconds(Int64.max)) { scene.note("never") }
    scene.loop.schedule(after: .milliseconds(1)) { scene.note("timer") }
    scene.pass(.milliseconds(1))
    scene.run(until: 1)
    #expect(scene.lines == ["timer"])
  }
}
