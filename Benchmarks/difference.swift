// The time to transform one random order of 10,000 rows into another, and to sort the same ids.
//
// Compiled together with the sources of BoardModel and the generator of the tests. Prints one line
// of JSON: microseconds of CPU time, a value for each round.

import Glibc

@main
enum Difference {
  static func main() throws {
    let rows = (0..<10_000 as Range<UInt64>).map(RowID.init)
    var random = SplitMix64(seed: 1)
    var (differences, sorts): ([Double], [Double]) = ([], [])
    for _ in 0..<(Int(CommandLine.arguments.dropFirst().first ?? "") ?? 21) {
      var board = Board()
      _ = try board.insert(
        rows.shuffled(using: &random), at: IndexPath(section: 0, row: 0), maxRows: .max)
      let wanted = rows.shuffled(using: &random)
      var moves = 0
      differences.append(
        try measure {
          let arrangement = try Arrangement(ofSection: 0, rows: wanted)
          moves = try board.apply(arrangement, maxSections: 1)?.changes.count ?? 0
        })
      var sorted: [RowID] = []
      sorts.append(measure { sorted = wanted.sorted() })
      guard board.snapshot().sections[0].rows == wanted, sorted == rows, moves > 9_000 else {
        fatalError("the board is not as it was to be")
      }
    }
    print("{\"difference_us\": \(differences), \"sort_us\": \(sorts)}")
  }

  /// The CPU time of this thread in microseconds.
  private static func measure(_ body: () throws -> Void) rethrows -> Double {
    let start = now()
    try body()
    return now() - start
  }

  private static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
  }
}
