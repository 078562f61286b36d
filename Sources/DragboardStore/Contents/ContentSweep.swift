/// A pass over the directory of contents, a few names at a time.
struct ContentSweep: ~Copyable {
  private var listing: DirectoryListing?
  private var hasBegun = false

  /// Whether the pass is complete.
  var isOver: Bool { hasBegun && listing == nil }

  /// Opens the directory at the first call.
  mutating func begin(_ path: String) {
    guard !hasBegun else { return }
    hasBegun = true
    listing = try? DirectoryListing(path)
  }

  /// Returns the next name; nil at the end or after an error.
  mutating func next() -> String? {
    let name = try? listing?.next()
    if name == nil { listing = nil }
    return name
  }
}
