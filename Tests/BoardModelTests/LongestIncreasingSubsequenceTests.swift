import TestSupport
import Testing

@testable import BoardModel

@Suite("Longest ascending subsequences")
struct LongestIncreasingSubsequenceTests {
  @Test("No other subsequence is longer")
  func longest() throws {
    var random = SplitMix64(seed: 3)
    for _ in 0..<200 {
      let count = Int.random(in: 0...8, using: &random)
      let values = Array(0..<count).shuffled(using: &random)
      let most = (0..<(1 << count)).map { choice -> Int in
        let chosen = values.indices.filter { choice >> $0 & 1 == 1 }.map { values[$0] }
        return chosen == chosen.sorted() ? chosen.count : 0
      }.max()
      let found = longestIncreasingSubsequence(of: values)
      #expect(found.count == most && found == found.sorted())
      #expect(found.map { values[$0] } == found.map { values[$0] }.sorted())
    }
  }
}
