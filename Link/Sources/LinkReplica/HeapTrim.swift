internal import Files

/// The return of freed memory to the system after a time without edits.
///
/// The allocator retains the memory of many edits for later use: on a board with 100,000 rows, as much as the
/// board itself.
actor HeapTrim {
  static let shared = HeapTrim()
  private static let quietTime = Duration.seconds(1)

  private var trim: Task<Void, Never>?
  /// Whether edits were exchanged since the last check.
  private var wasUsed = false

  /// Records that edits were exchanged.
  ///
  /// The trim runs when this was not called for ``quietTime``.
  func noteExchange() {
    wasUsed = true
    guard trim == nil else { return }
    trim = Task {
      while wasUsed {
        wasUsed = false
        try? await Task.sleep(for: Self.quietTime)
      }
      Heap.trim()
      trim = nil
    }
  }
}
