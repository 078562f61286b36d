/// The remaining work of a step of the purge.
struct PurgeBudget {
  /// The remaining number of rows and files.
  var entries: Int
  var bytes: Int

  var isLeft: Bool { entries > 0 && bytes > 0 }

  mutating func spend(bytes count: Int) {
    entries -= 1
    bytes -= count
  }
}
