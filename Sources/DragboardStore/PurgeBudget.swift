/// How much a step of cleaning up may still do.
struct PurgeBudget {
  /// Rows and files.
  var entries: Int
  var bytes: Int

  var isLeft: Bool { entries > 0 && bytes > 0 }

  mutating func spend(bytes count: Int) {
    entries -= 1
    bytes -= count
  }
}
