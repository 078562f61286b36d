import DBus
import DragboardStore

/// The handling of one call, timer or completion.
///
/// In a step, commands change entities and append messages for clients.
///
/// A step never sends anything itself. The messages of an independent step are published when the
/// step ends; those of an uncommitted step are published after the commit. See ``Transaction``.
/// Only functions that restore a value may retain a step.
struct Step {
  private let transactions: Transactions

  init(_ transactions: Transactions) { self.transactions = transactions }

  // MARK: Reading and changing

  /// Records that the step depends on an entity.
  func read(_ entity: Entity) {
    if isInTransaction, entity.changedIn == transactions.transaction.number {
      transactions.transaction.markUncommitted()
    }
  }

  func readEverything() {
    if isInTransaction { transactions.transaction.markUncommitted() }
  }

  /// Records that the step changes an entity.
  ///
  /// - Parameters:
  ///   - entity: the entity, before the change.
  ///   - save: returns a function that restores the entity's value. `save` is called only if the
  ///     change may be rolled back.
  func change(_ entity: Entity, restoring save: () -> (() -> Void)) {
    read(entity)
    transactions.transaction.noteChange()
    guard isUncommitted else { return }
    entity.changedIn = transactions.transaction.number
    transactions.transaction.append(restore: save())
  }

  /// Records that the step changes an entity that has no value to restore.
  ///
  /// For example, a rollback discards a new entity with the list to which it was added.
  func markChanged(_ entity: Entity) { change(entity) { {} } }

  /// Records an edit of a stored entity.
  ///
  /// The commit saves the entity, and a rollback reads it back.
  func edit(_ entity: any StoredEntity) {
    open()
    transactions.transaction.add(entity)
  }

  /// Calls `body` if the step is rolled back.
  func onRollback(_ body: @escaping () -> Void) {
    if isUncommitted { transactions.transaction.append(restore: body) }
  }

  /// Writes to the store.
  ///
  /// - Parameters:
  ///   - entity: the entity that the step edits with the write, if there is one.
  ///   - body: writes.
  /// - Returns: the result of `body`.
  /// - Throws: IOError if the write fails. In this case the whole transaction is rolled back.
  @discardableResult
  func write<Result>(
    for entity: (any StoredEntity)? = nil,
    _ body: (BoardStore) throws(StoreError) -> Result
  ) throws(DBusError) -> Result {
    if let entity { edit(entity) } else { open() }
    do throws(StoreError) { return try body(transactions.store) } catch {
      transactions.transaction.fail(error)
      throw error.answer
    }
  }

  /// Makes the step uncommitted, because it is going to edit an entity.
  func open() {
    transactions.transaction.markUncommitted()
    transactions.connection.readsAhead = true
  }

  /// Writes to the store between transactions, so that a failed write does not roll back a
  /// client's edit.
  ///
  /// Writes that `body` does not commit are committed with the next transaction.
  ///
  /// - Returns: the result of `body`; nil if a transaction is open. In this case `body` is not
  ///   called.
  func writeApart<Result>(
    _ body: (BoardStore) throws(StoreError) -> Result
  ) throws(StoreError) -> Result? {
    guard !isInTransaction else { return nil }
    do throws(StoreError) { return try body(transactions.store) } catch {
      transactions.store.rollback()
      throw error
    }
  }

  /// The store, for reading; ``write(for:_:)`` and ``writeApart(_:)`` write.
  ///
  /// Its reads include the writes of the transaction.
  var store: BoardStore { transactions.store }

  // MARK: Effects

  func emit<each C: BusValue>(
    _ signal: SignalDeclaration<Arguments<repeat each C>>, from path: ObjectPath,
    _ content: repeat each C
  ) {
    transactions.outbox.emit(signal, from: path, repeat each content)
  }

  /// Records that a property has changed.
  ///
  /// PropertiesChanged reports the change before the call's reply.
  func noteChange<Value>(of property: PropertyDeclaration<Value>, at path: ObjectPath) {
    transactions.server.noteChange(of: property, at: path)
  }

  /// Appends an action that cannot be rolled back.
  ///
  /// - Parameters:
  ///   - action: runs after the step, if the step is independent; otherwise after the commit.
  ///   - orElse: runs instead if the step is rolled back.
  func afterCommit(_ action: @escaping () -> Void, orElse: (() -> Void)? = nil) {
    transactions.transaction.append(Transaction.Action(body: action, orElse: orElse))
  }

  /// Appends an action that sends a reply later.
  ///
  /// If the step is rolled back, the reply is IOError.
  func afterCommit<each O: BusValue>(
    answering reply: Reply<repeat each O>, _ action: @escaping () -> Void
  ) {
    afterCommit(action) { reply.refuse(.rolledBack) }
  }

  /// Appends an action that runs after the transaction, whether it is committed or rolled back.
  func afterTransaction(_ action: @escaping () -> Void) { afterCommit(action, orElse: action) }

  /// Commits the earlier steps.
  ///
  /// Call it before this step appends anything.
  ///
  /// - Throws: IOError if this step depends on the earlier steps, and they cannot be stored.
  func commitEarlierSteps() throws(DBusError) {
    let isDependent = isUncommitted
    do throws(StoreError) { try transactions.commit() } catch {
      if isDependent { throw error.answer }
    }
  }

  /// Ends the iteration after this step, so that later calls see the result of the commit.
  func commitNow() { transactions.connection.endIteration() }

  /// Whether a rollback would undo the step.
  var isUncommitted: Bool { transactions.transaction.isStepUncommitted }

  /// Whether this step or an earlier one has opened a transaction.
  var isInTransaction: Bool { transactions.isOpen }

  /// Reads back the boards that a rollback could not read.
  ///
  /// - Throws: IOError if a board cannot be read now.
  func readBack() throws(DBusError) { try transactions.readBack() }
}

extension DBusError {
  /// The error for a call whose transaction was rolled back.
  static let rolledBack = DBusError(
    .ioError, "disk: the data could not be stored, and nothing was changed")
}
