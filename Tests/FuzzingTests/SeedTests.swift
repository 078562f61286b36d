import Foundation
import FuzzTargets
import TestSupport
import Testing

@Suite("The seeds of libFuzzer")
struct SeedTests {
  @Test("The seeds violate no invariant of their target", arguments: FuzzTarget.allCases)
  func seeds(target: FuzzTarget) throws {
    let folder = URL(fileURLWithPath: Checkout.path("Tests/Fuzzing/Seeds/\(target.rawValue)"))
    let seeds = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    #expect(!seeds.isEmpty)
    for seed in seeds {
      let bytes = try Data(contentsOf: seed)
      bytes.withUnsafeBytes { target.run($0) }
    }
  }
}
