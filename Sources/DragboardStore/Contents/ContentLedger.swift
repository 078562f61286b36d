/// Which contents may have nobody left who needs them; what the store's thread knows of them.
struct ContentLedger {
  /// Contents that rows of the open transaction came to hold.
  private(set) var inserted: Set<ContentID> = []

  /// Contents that rows of the open transaction held, and hold no more: it may yet be rolled back.
  private(set) var deleted: Set<ContentID> = []

  /// Contents that are to be looked into.
  private(set) var suspects: [ContentID] = []

  /// Whether the names of all published contents are durable: not known at the beginning.
  var areNamesDurable = false

  mutating func noteInsertion(of id: ContentID) { inserted.insert(id) }

  mutating func noteDeletion(of id: ContentID) { deleted.insert(id) }

  mutating func suspect(_ ids: some Sequence<ContentID>) {
    suspects.append(contentsOf: ids)
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
