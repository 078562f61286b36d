import TestSupport
import Testing

@testable import DBus

@Suite("The order in which holders of quotas are served")
struct TurnTests {
  private var turns = Turns()
  private let first = TurnHolder()
  private let second = TurnHolder()
  private let third = TurnHolder()

  /// Serves the next turn, which takes `time`.
  private mutating func serve(_ time: Int, again: Bool = true) -> TurnHolder? {
    guard let holder = turns.take(where: { _ in true }) else { return nil }
    turns.begin(holder)
    turns.charge(time, to: holder)
    if again { turns.append(holder) }
    return holder
  }

  @Test("Holders whose calls take equally long are served in the order in which they began to wait")
  mutating func equalTimes() {
    for holder in [second, first, third] { turns.append(holder) }
    var served: [TurnHolder?] = []
    for _ in 0..<6 { served.append(serve(5)) }
    #expect(served.map { $0 === second } == [true, false, false, true, false, false])
    #expect(served.map { $0 === third } == [false, false, true, false, false, true])
  }

  @Test("Holders with long calls and holders with short calls use the same time")
  mutating func long() {
    turns.append(first)
    turns.append(second)
    var times = [0, 0]
    for _ in 0..<10_100 {
      guard let holder = turns.take(where: { _ in true }) else { return }
      let time = holder === first ? 100 : 1
      turns.begin(holder)
      turns.charge(time, to: holder)
      turns.append(holder)
      times[holder === first ? 0 : 1] += time
    }
    #expect(abs(times[0] - times[1]) <= 200)
  }

  @Test("A holder that was idle is next, but has no credit for the idle time")
  mutating func idle() {
    turns.append(first)
    for _ in 0..<1_000 { _ = serve(10) }
    turns.append(second)
    #expect(serve(10) === second)
    var served = [0, 0]
    for _ in 0..<100 { served[serve(10) === first ? 0 : 1] += 1 }
    #expect(served == [50, 50])
  }

  @Test("A holder that was alone owes only its latest turn")
  mutating func alone() {
    turns.append(first)
    for _ in 0..<1_000 { _ = serve(1_000) }
    turns.append(second)
    var count = 0
    while serve(10) === second { count += 1 }
    #expect(count <= 101)
  }

  @Test("After a time without calls no holder owes anything")
  mutating func noDebt() {
    turns.append(first)
    _ = serve(1_000, again: false)
    turns.noteIdle()
    turns.append(first)
    turns.append(second)
    #expect(serve(1) === first)
    #expect(serve(1) === second)
  }

  @Test("A holder that cannot be served now stays, and the others are served")
  mutating func blocked() {
    turns.append(first)
    turns.append(second)
    let blocked = first
    for _ in 0..<3 {
      let holder = turns.take { $0 !== blocked }
      #expect(holder === second)
      if let holder { turns.append(holder) }
    }
    #expect(turns.take { _ in true } === first)
  }

  @Test("A holder waits at most once")
  mutating func twice() {
    turns.append(first)
    turns.append(first)
    #expect(serve(1, again: false) === first)
    #expect(turns.isEmpty)
  }

  /// A holder in the simplest model of the rule.
  private struct Entry {
    var used = 0
    var waitsSince: Int?
  }

  @Test("Random holders are served in the order of a simple model", arguments: UInt64(0)..<50)
  mutating func random(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let holders = (0..<Int.random(in: 1...8, using: &random)).map { _ in TurnHolder() }
    var entries = holders.map { _ in Entry() }
    var virtualTime = 0
    for now in 0..<500 {
      if Bool.random(using: &random) {
        let index = Int.random(in: 0..<holders.count, using: &random)
        turns.append(holders[index])
        if entries[index].waitsSince == nil { entries[index].waitsSince = now }
        continue
      }
      let blocked = holders.filter { _ in Int.random(in: 0..<5, using: &random) == 0 }
      func mayBegin(_ holder: TurnHolder) -> Bool { !blocked.contains { $0 === holder } }
      let expected = entries.indices
        .filter { entries[$0].waitsSince != nil && mayBegin(holders[$0]) }
        .min { left, right in
          let (a, b) = (entries[left], entries[right])
          return (max(a.used, virtualTime), a.waitsSince ?? 0)
            < (max(b.used, virtualTime), b.waitsSince ?? 0)
        }
      let served = turns.take(where: mayBegin)
      #expect(holders.firstIndex { $0 === served } == expected)
      guard let served, let expected else { continue }
      let time = Int.random(in: 0..<1_000, using: &random)
      turns.begin(served)
      turns.charge(time, to: served)
      virtualTime = max(entries[expected].used, virtualTime)
      entries[expected] = Entry(used: virtualTime + time)
    }
  }
}
