import TestSupport

extension SplitMix64 {
  /// Returns true with a probability of `percent`.
  mutating func happens(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }
}
