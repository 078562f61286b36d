/// The contents that may be unneeded, as far as the store's thread knows.
struct ContentLedger {
  /// Contents that the open transaction has inserted.
  private(set) var inserted: Set<ContentID> = []

  /// Contents that the open transaction has deleted; a rollback would restore them.
  private(set) var deleted: Set<ContentID> = []

  /// Contents to be checked for removal.
  private(set) var suspects: [ContentID] = []

  /// Whether the names of all published contents are durable; initially unknown.
  var areNamesDurable = false

  mutating func noteInsertion(of id: ContentID) { inserted.insert(id) }

  mutating func noteDeletion(of id: ContentID) { deleted.insert(id) }

  mutating func suspect(_ ids: some Sequence<ContentID>) {
    suspects.append(contentsOf: ids)
  }

  /// Removes the last suspect.
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
