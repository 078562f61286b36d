/// One look through the folder of contents, a few names at a time.
struct ContentSweep: ~Copyable {
  private var listing: DirectoryListing?
  private var hasBegun = false

  /// Whether there is nothing left to look at.
  var isOver: Bool { hasBegun && listing == nil }

  /// Opens the folder, the first time.
  mutating func begin(_ path: String) {
    guard !hasBegun else { return }
    hasBegun = true
    listing = try? DirectoryListing(path)
  }

  /// The next name; nil at the end, and where no more can be read.
  mutating func next() -> String? {
    let name = try? listing?.next()
    if name == nil { listing = nil }
    return name
  }
}
