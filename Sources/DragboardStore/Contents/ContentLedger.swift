/// Which contents may have nobody left who needs them; what the store's thread knows of them.
struct ContentLedger {
  /// Contents that rows of the open transaction came to hold.
  private(set) var inserted: Set<ContentDigest> = []

  /// Contents that rows of the open transaction held, and hold no more: it may yet be rolled back.
  private(set) var deleted: Set<ContentDigest> = []

  /// Contents that are to be looked into.
  private(set) var suspects: [ContentDigest] = []

  /// Whether the names of all published contents are durable: not known at the beginning.
  var areNamesDurable = false

  mutating func noteInsertion(of digest: ContentDigest) { inserted.insert(digest) }

  mutating func noteDeletion(of digest: ContentDigest) { deleted.insert(digest) }

  mutating func suspect(_ digests: some Sequence<ContentDigest>) {
    suspects.append(contentsOf: digests)
  }

  /// Strikes the last suspect.
  mutating func didLookIntoLast() { _ = suspects.popLast() }

  mutating func didCommit() {
    suspect(deleted)
    forgetTransaction()
  }

  mutating func didRollBack() {
    suspect(inserted)
    forgetTransaction()
  }

  private mutating func forgetTransaction() {
    inserted = []
    deleted = []
  }
}
