import Foundation

/// The progress of the loads of a client; tests wait for it.
///
/// `@unchecked` is safe, because only code with the condition's lock accesses the variables below.
final class LoadLog: @unchecked Sendable {
  /// A call of a loader.
  struct Load: Hashable, Sendable {
    let session: String
    let item: UInt32
    let type: String
  }

  private let condition = NSCondition()
  private var begun: [Load] = []
  private var heardSignals: [[String]] = []
  private var ended = 0
  private var broken: [UInt32] = []
  private var opened: Set<String> = []
  private var isOver = false

  /// All calls of loaders so far.
  var loads: [Load] { condition.withLock { begun } }

  /// For each load, the signals that the client had received when the loader was called.
  var heard: [[String]] { condition.withLock { heardSignals } }

  /// The items of the loads whose pipe has lost its reader.
  var brokenPipes: [UInt32] { condition.withLock { broken } }

  /// Opens gates; loads that wait for one of them continue, now or later.
  func open(_ gates: String...) { change { opened.formUnion(gates) } }

  /// Waits until loaders have been called `count` times; returns false after a timeout.
  func waitForLoads(_ count: Int) -> Bool { wait { begun.count >= count } }

  /// Waits until `count` loads have a pipe without a reader.
  func waitForBrokenPipes(_ count: Int) -> Bool { wait { broken.count >= count } }

  /// Waits until `count` loads have ended.
  func waitForEnds(_ count: Int) -> Bool { wait { ended >= count } }

  // MARK: For loaders

  func begin(_ load: Load) { change { begun.append(load) } }

  func note(heard signals: [String]) { change { heardSignals.append(signals) } }

  func noteBrokenPipe(_ item: UInt32) { change { broken.append(item) } }

  func noteEnd() { change { ended += 1 } }

  /// Waits until the test opens a gate; returns false if the test has ended.
  func waitForOpening(of gate: String) -> Bool {
    condition.withLock {
      while !isOver, !opened.contains(gate) { condition.wait() }
      return !isOver
    }
  }

  /// Whether the test has ended.
  var isTestOver: Bool { condition.withLock { isOver } }

  /// Ends the test.
  func end() { change { isOver = true } }

  private func change(_ body: () -> Void) {
    condition.withLock {
      body()
      condition.broadcast()
    }
  }

  private func wait(for isDone: () -> Bool) -> Bool {
    let deadline = Date(timeIntervalSinceNow: 30)
    return condition.withLock {
      while !isDone(), condition.wait(until: deadline) {}
      return isDone()
    }
  }
}
