/// The contents that the store's thread must handle at a commit, a rollback or a purge.
struct ContentLedger {
  /// The contents that the open transaction has inserted.
  private(set) var inserted: Set<ContentID> = []

  /// The contents that the open transaction has deleted.
  ///
  /// A rollback would restore them.
  private(set) var deleted: Set<ContentID> = []

  /// The contents that may be unneeded and must be checked.
  private(set) var suspects: [ContentID] = []

  /// Whether the names of all published contents are known to be durable.
  var areNamesDurable = false

  mutating func noteInsertion(of id: ContentID) { inserted.insert(id) }

  mutating func noteDeletion(of id: ContentID) { deleted.insert(id) }

  mutating func suspect(_ ids: some Sequence<ContentID>) {
    suspects.append(contentsOf: ids)
  }

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
