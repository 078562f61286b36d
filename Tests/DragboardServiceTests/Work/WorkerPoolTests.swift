import DBus
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import DragboardService

@Suite("The threads that read and write files")
struct WorkerPoolTests {
  /// Work that goes on until it is released.
  private final class Hanging: Sendable {
    private let (hasBegun, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))

    func work() {
      hasBegun.signal()
      mayEnd.wait()
    }

    func waitForBeginning() { hasBegun.wait() }
    func end() { mayEnd.signal() }
  }

  @Test(
    "Work in a hanging lane delays neither other lanes nor the daemon's own work")
  func lanes() throws {
    let loop = try EventLoop()
    let pool = WorkerPool(loop)
    for _ in 0..<50 {
      let hanging = Hanging()
      var done: [String] = []
      // A thread that has just had work may wait for more.
      pool.run {
      } then: {
        done.append("first")
      }
      loop.wait { done == ["first"] }
      pool.run(inLane: "hangs") {
        hanging.work()
      } then: {
        done.append("hung")
      }
      pool.run(inLane: "other") {
      } then: {
        done.append("other")
      }
      pool.run {
      } then: {
        done.append("own")
      }
      loop.wait { done.count == 3 }
      #expect(Set(done) == ["first", "other", "own"])
      hanging.end()
      loop.wait { done.count == 4 }
    }
  }

  @Test("Work in one lane is done one after the other, in order")
  func order() throws {
    let loop = try EventLoop()
    let pool = WorkerPool(loop)
    let hanging = Hanging()
    var done: [Int] = []
    pool.run(inLane: "one") {
      hanging.work()
    } then: {
      done.append(0)
    }
    for number in 1..<100 {
      pool.run(inLane: "one") {
        number
      } then: {
        done.append($0)
      }
    }
    hanging.waitForBeginning()
    hanging.end()
    loop.wait { done.count == 100 }
    #expect(done == Array(0..<100))
  }

  @Test(
    "Hanging work of one kind delays no other work",
    arguments: WorkKind.allCases.filter { $0 != .storage })
  func kinds(_ kind: WorkKind) throws {
    let loop = try EventLoop()
    let pool = WorkerPool(loop)
    let hanging = Hanging()
    var (ended, own) = (0, 0)
    for lane in 0..<60 {
      pool.run(inLane: lane.isMultiple(of: 2) ? "\(lane)" : nil, kind: kind) {
        hanging.work()
      } then: {
        ended += 1
      }
    }
    for other in WorkKind.allCases where other != kind {
      for number in 0..<100 {
        pool.run(inLane: number.isMultiple(of: 2) ? "client" : nil, kind: other) {
        } then: {
          own += 1
        }
      }
    }
    loop.wait { own == 300 }
    #expect(ended == 0)
    for _ in 0..<60 { hanging.end() }
    loop.wait { ended == 60 }
  }

  @Test("A job that has not begun can be cancelled, and never begins")
  func cancellation() throws {
    let loop = try EventLoop()
    let pool = WorkerPool(loop)
    let hanging = Hanging()
    var done: [String] = []
    let first = pool.run(inLane: "one") {
      hanging.work()
    } then: {
      done.append("first")
    }
    let second = pool.run(inLane: "one") {
    } then: {
      done.append("second")
    }
    pool.run(inLane: "one") {
    } then: {
      done.append("third")
    }
    hanging.waitForBeginning()
    #expect(!pool.cancel(first))
    #expect(pool.cancel(second))
    #expect(!pool.cancel(second))
    hanging.end()
    loop.wait { done.count == 2 }
    #expect(done == ["first", "third"])
  }

  @Test(
    "A kind of work has a maximum number of threads, however much work there is",
    arguments: WorkKind.allCases)
  func maxThreads(_ kind: WorkKind) throws {
    let loop = try EventLoop()
    let pool = WorkerPool(loop)
    let hanging = Hanging()
    let running = Mutex((now: 0, most: 0))
    var ended = 0
    for lane in 0..<60 {
      pool.run(inLane: "\(lane)", kind: kind) {
        running.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
        hanging.work()
        running.withLock { $0.now -= 1 }
      } then: {
        ended += 1
      }
    }
    for _ in 0..<kind.maxThreads { hanging.waitForBeginning() }
    for _ in 0..<60 { hanging.end() }
    loop.wait { ended == 60 }
    #expect(running.withLock(\.most) == kind.maxThreads)
  }
}
