import DragboardStore

/// The base class of everything that clients can read and a transaction can change.
///
/// A step that reads an entity that the open transaction has changed is uncommitted, too.
class Entity {
  /// The number of the last transaction that changed it.
  var changedIn = 0

  /// Records that a call names the entity.
  func noteUse(at time: Duration) {}
}

/// An entity that the repository stores.
///
/// It is saved at the end of the transaction. A rollback does not restore the earlier value from
/// memory: a copy of a large board would cost more than the edit. The value is read back instead.
protocol StoredEntity: Entity {
  /// Writes the changes to the repository.
  func save(to repository: any BoardRepository) throws(StoreError)
  /// Restores the value in the repository.
  func readBack(from repository: any BoardRepository) throws(StoreError)
}
