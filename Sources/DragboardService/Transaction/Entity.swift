import DragboardStore

/// The base class of all objects that clients can read and a transaction can change.
///
/// If a step reads an entity that the open transaction has changed, the step is also uncommitted.
class Entity {
  /// The number of the last transaction that changed the entity.
  var changedIn = 0

  /// Records that a call names the entity.
  func noteUse(at time: Duration) {}
}

/// An entity with a value in the store.
///
/// The entity is saved at the end of the transaction. A rollback reads the earlier value from the
/// store. A copy in memory would cost more: copying a large board takes longer than an edit.
protocol StoredEntity: Entity {
  /// Writes the entity's changes to the store.
  func save(to store: BoardStore) throws(StoreError)
  /// Replaces the value in memory by the value in the store.
  func readBack(from store: BoardStore) throws(StoreError)
}
