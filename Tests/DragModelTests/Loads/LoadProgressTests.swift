import DragModel
import TestSupport
import Testing

@Suite("The progress of loads")
struct LoadProgressTests {
  @Test("Without loads the progress is complete")
  func nothing() { #expect(LoadProgress().fraction == 1) }

  @Test("Loads of known sizes count by their sizes")
  func knownSizes() {
    var progress = LoadProgress()
    progress.add(received: 0, of: 300)
    #expect(progress.fraction == 0)
    progress.add(received: 100, of: 100)
    #expect(progress.fraction == 0.25)
    progress.add(received: 100, of: 400)
    #expect(progress.fraction == 0.25)
  }

  @Test("A load of unknown size counts as 64 KiB, done or not begun")
  func unknownSize() {
    var progress = LoadProgress()
    progress.add(received: 1 << 30, of: nil)
    #expect(progress.fraction == 0)
    progress.addFinished(of: nil)
    #expect(progress.fraction == 0.5)
    progress.add(received: 64 << 10, of: 128 << 10)
    #expect(progress.fraction == 0.5)
  }

  @Test("A load with more bytes than expected counts as done")
  func moreThanExpected() {
    var progress = LoadProgress()
    progress.add(received: .max, of: 100)
    progress.add(received: 0, of: 100)
    #expect(progress.fraction == 0.5)
  }

  @Test("A load without bytes is not complete before its end")
  func emptyLoad() {
    var progress = LoadProgress()
    progress.add(received: 0, of: 0)
    #expect(progress.fraction == 0)
    var finished = LoadProgress()
    finished.addFinished(of: 0)
    #expect(finished.fraction == 1)
  }

  @Test("With the largest sizes the progress is between 0 and 1")
  func extremes() {
    var progress = LoadProgress()
    for _ in 0..<4 { progress.add(received: .max, of: .max) }
    #expect(progress.fraction == 1)
    progress.add(received: 0, of: .max)
    #expect(progress.fraction == 0.8)
  }

  @Test("The progress never falls while bytes arrive and loads end", arguments: 1...4)
  func rises(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<300 {
      var loads = (0..<Int.random(in: 1...5, using: &random)).map { _ in
        Load(
          expected: Bool.random(using: &random) ? Int.random(in: 0...1_000, using: &random) : nil)
      }
      var last = Self.fraction(of: loads)
      while let index = loads.indices.filter({ !loads[$0].isOver }).randomElement(using: &random) {
        loads[index].received += Int.random(in: 0...400, using: &random)
        loads[index].isOver = Int.random(in: 0...3, using: &random) == 0
        let now = Self.fraction(of: loads)
        #expect(now >= last && (0...1).contains(now), "\(loads)")
        last = now
      }
      #expect(last == 1)
    }
  }

  private struct Load {
    let expected: Int?
    var received = 0
    var isOver = false
  }

  private static func fraction(of loads: [Load]) -> Double {
    var progress = LoadProgress()
    for load in loads {
      if load.isOver {
        progress.addFinished(of: load.expected)
      } else {
        progress.add(received: load.received, of: load.expected)
      }
    }
    return progress.fraction
  }
}
