import DBus
import Files
import Synchronization
import TestSupport
import Testing

@Suite("The event loop")
struct EventLoopTests {
  /// The events in order, on a loop that the thread of the test runs.
  final class Record { var lines: [String] = [] }

  @Test("Timers fire in the order of their deadlines, or else of their scheduling")
  func timersInOrder() throws {
    let loop = try EventLoop()
    let record = Record()
    for milliseconds in [3, 1, 2, 1, 0, 3] {
      loop.schedule(after: .milliseconds(milliseconds)) { record.lines.append("\(milliseconds)") }
    }
    loop.run(until: { record.lines.count == 6 })
    #expect(record.lines == ["0", "1", "1", "2", "3", "3"])
  }

  @Test("Thousands of random timers fire in order, and cancelled ones never")
  func randomTimers() throws {
    var generator = SplitMix64(seed: 4)
    let loop = try EventLoop()
    let record = Record()
    var kept: [(timer: Timer, number: Int)] = []
    for number in 0..<5_000 {
      let delay = Duration.milliseconds(Int.random(in: -1_000...0, using: &generator))
      let timer = loop.schedule(after: delay) { record.lines.append("\(number)") }
      if Bool.random(using: &generator) { loop.cancel(timer) } else { kept.append((timer, number)) }
    }
    loop.schedule(after: .milliseconds(1)) { record.lines.append("end") }
    loop.run(until: { record.lines.last == "end" })
    #expect(
      record.lines == kept.sorted { $0.timer < $1.timer }.map { "\($0.number)" } + ["end"])
  }

  @Test(
    "A cancelled timer never fires; cancelling it again, or after it has fired, is not an error")
  func cancel() throws {
    let loop = try EventLoop()
    let record = Record()
    let cancelled = loop.schedule(after: .zero) { record.lines.append("cancelled") }
    loop.cancel(cancelled)
    loop.cancel(cancelled)
    let first = loop.schedule(after: .zero) { record.lines.append("first") }
    loop.run(until: { !record.lines.isEmpty })
    loop.cancel(first)
    loop.schedule(after: .zero) { record.lines.append("second") }
    loop.run(until: { record.lines.count == 2 })
    #expect(record.lines == ["first", "second"])
  }

  @Test("A timer that schedules itself again does not block the loop")
  func repeating() throws {
    let loop = try EventLoop()
    let record = Record()
    func again() {
      record.lines.append("tick")
      if record.lines.count < 10 { loop.schedule(after: .zero, again) }
    }
    again()
    loop.run(until: { record.lines.count == 10 })
    loop.stop()
    loop.run()
    #expect(record.lines.count == 10)
  }

  @Test(
    "The tasks of other threads run on the loop's thread, in each thread's order; none is lost")
  func perform() async throws {
    let thread = try LoopThread()
    defer { thread.stop() }
    let seen = Seen()
    await withTaskGroup { group in
      for writer in 0..<8 {
        group.addTask {
          for number in 0..<2_000 {
            thread.loop.perform { seen.lists.withLock { $0[writer, default: []].append(number) } }
          }
        }
      }
    }
    await thread.run {}
    let lists = seen.lists.withLock { $0 }
    #expect(lists.count == 8)
    #expect(lists.values.allSatisfy { $0 == Array(0..<2_000) })
  }

  private final class Seen: Sendable {
    let lists = Mutex<[Int: [Int]]>([:])
  }

  @Test("An idle loop wakes for each task of another thread")
  func wakes() async throws {
    let thread = try LoopThread()
    defer { thread.stop() }
    for number in 0..<2_000 {
      let answer = await thread.run { number }
      #expect(answer == number)
    }
  }

  @Test("A readable descriptor calls its handler until it is no longer watched")
  func watching() throws {
    let loop = try EventLoop()
    let record = Record()
    let pipe = try Pipe()
    try loop.watch(pipe.read.number, for: .readable) { ready in
      #expect(ready.contains(.readable))
      record.lines.append("readable")
      if record.lines.count == 3 { loop.unwatch(pipe.read.number) }
    }
    loop.schedule(after: .zero) { pipe.put() }
    loop.run(until: { record.lines.count == 3 })
    loop.schedule(after: .milliseconds(1)) { record.lines.append("end") }
    loop.run(until: { record.lines.last == "end" })
    #expect(record.lines == ["readable", "readable", "readable", "end"])
  }

  @Test("The other end's hang-up is reported even if it was not requested")
  func hangUp() throws {
    let loop = try EventLoop()
    var seen: Interest?
    var pipe: Pipe? = try Pipe()
    let end = try #require(pipe?.read)
    try loop.watch(end.number, for: []) { seen = $0 }
    loop.schedule(after: .zero) { pipe = nil }
    loop.run(until: { seen != nil })
    #expect(seen?.contains(.hungUp) == true)
    loop.unwatch(end.number)
  }

  @Test("A handler may watch and unwatch descriptors that are ready in the same iteration")
  func changesWhileHandling() throws {
    let loop = try EventLoop()
    let record = Record()
    let pipes = try (0..<4).map { _ in try Pipe() }
    for pipe in pipes {
      pipe.put()
      try loop.watch(pipe.read.number, for: .readable) { _ in
        record.lines.append("ready")
        for other in pipes { loop.unwatch(other.read.number) }
      }
    }
    loop.schedule(after: .milliseconds(1)) { record.lines.append("end") }
    loop.run(until: { record.lines.last == "end" })
    #expect(record.lines == ["ready", "end"])
  }

  @Test("An actor whose executor is the loop runs there, also after awaiting other actors")
  func actorOnTheLoop() async throws {
    let thread = try LoopThread()
    defer { thread.stop() }
    let counter = Counter(on: thread.loop)
    await withTaskGroup { group in
      for _ in 0..<100 { group.addTask { await counter.count() } }
    }
    #expect(await counter.total == 100)
    let fromOutside = await thread.run { counter.assumeIsolated { $0.total } }
    #expect(fromOutside == 100)
  }

  private actor Counter {
    private let loop: EventLoop
    private(set) var total = 0
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(on loop: EventLoop) { self.loop = loop }

    func count() async {
      loop.checkIsolated()
      await Task.detached {}.value
      loop.checkIsolated()
      total += 1
    }
  }

  @Test("Using the loop on another thread traps")
  func confinement() async {
    await #expect(processExitsWith: .failure) {
      let thread = try LoopThread()
      await thread.run {}
      thread.loop.schedule(after: .zero) {}
    }
  }
}
