import DBus
import DragboardStore

/// One call, timer or completion: commands change entities in it, and append messages for clients.
///
/// A step never sends anything itself. Its messages are published when it ends, or with the commit
/// if it is uncommitted; see ``Transaction``. Only restores may keep a step.
struct Step {
  private let transactions: Transactions

  init(_ transactions: Transactions) { self.transactions = transactions }

  // MARK: Reading and changing

  /// Notes that the step depends on an entity.
  func read(_ entity: Entity) {
    if isInTransaction, entity.changedIn == transactions.transaction.number {
      transactions.transaction.markUncommitted()
    }
  }

  func readEverything() {
    if isInTransaction { transactions.transaction.markUncommitted() }
  }

  /// Notes a change of an entity.
  ///
  /// - Parameters:
  ///   - entity: the entity, which has not been changed yet.
  ///   - save: returns a function that restores the entity's value. It is called only if the change
  ///     may be rolled back.
  func change(_ entity: Entity, restoring save: () -> (() -> Void)) {
    read(entity)
    transactions.transaction.noteChange()
    guard isUncommitted else { return }
    entity.changedIn = transactions.transaction.number
    transactions.transaction.append(restore: save())
  }

  /// Notes an edit of an entity that is saved at the commit, and read back by a rollback.
  func edit(_ entity: any StoredEntity) {
    open()
    transactions.transaction.add(entity)
  }

  /// Calls `body` if the step is rolled back.
  func onRollback(_ body: @escaping () -> Void) {
    if isUncommitted { transactions.transaction.append(restore: body) }
  }

  /// Writes to the repository.
  ///
  /// - Throws: IOError; then the whole transaction is rolled back.
  @discardableResult
  func write<Result>(
    _ body: (any BoardRepository) throws(StoreError) -> Result
  ) throws(DBusError) -> Result {
    open()
    do throws(StoreError) { return try body(transactions.repository) } catch {
      transactions.transaction.fail(error)
      throw error.answer
    }
  }

  /// Makes the step uncommitted: it will edit something.
  func open() {
    transactions.transaction.markUncommitted()
    transactions.connection.readsAhead = true
  }

  /// Writes to the repository between transactions: a failure rolls back no edit of a client.
  ///
  /// What `body` does not commit is committed with the next transaction.
  ///
  /// - Returns: nil if a transaction is open; then nothing is written.
  func writeApart<Result>(
    _ body: (any BoardRepository) throws(StoreError) -> Result
  ) throws(StoreError) -> Result? {
    guard !isInTransaction else { return nil }
    do throws(StoreError) { return try body(transactions.repository) } catch {
      transactions.repository.rollback()
      throw error
    }
  }

  /// The store, whose reads see the writes of the transaction.
  var store: any StoreReading { transactions.repository }

  // MARK: Effects

  func emit<each C: BusValue>(
    _ signal: SignalDeclaration<Arguments<repeat each C>>, from path: ObjectPath,
    _ content: repeat each C
  ) {
    transactions.emit(signal, from: path, repeat each content)
  }

  /// Notes that a property has changed: PropertiesChanged reports it before the call's reply.
  func noteChange<Value>(of property: PropertyDeclaration<Value>, at path: ObjectPath) {
    transactions.server.noteChange(of: property, at: path)
  }

  /// Appends an action that cannot be rolled back.
  ///
  /// - Parameters:
  ///   - action: runs at the end of the step if the step is certain, else after the commit.
  ///   - orElse: runs instead if the step is rolled back.
  func afterCommit(_ action: @escaping () -> Void, orElse: (() -> Void)? = nil) {
    transactions.transaction.append(Transaction.Action(body: action, orElse: orElse))
  }

  /// Appends an action on whose outcome a reply depends; a rollback refuses the call with IOError.
  func afterCommit<each O: BusValue>(
    answering reply: Reply<repeat each O>, _ action: @escaping () -> Void
  ) {
    afterCommit(action) { reply.refuse(.rolledBack) }
  }

  /// Appends an action that does not depend on the commit: it follows the transaction.
  func afterTransaction(_ action: @escaping () -> Void) { afterCommit(action, orElse: action) }

  /// Commits the earlier steps before this step, which must not have appended anything.
  ///
  /// - Throws: IOError if the step depends on them and they cannot be stored.
  func commitEarlierSteps() throws(DBusError) {
    let isDependent = isUncommitted
    do throws(StoreError) { try transactions.commit() } catch {
      if isDependent { throw error.answer }
    }
  }

  /// Ends the iteration with this step: later calls see the result of the commit.
  func commitNow() { transactions.connection.endIteration() }

  /// Whether a rollback would undo the step.
  var isUncommitted: Bool { transactions.transaction.isStepUncommitted }

  /// Whether a transaction is open, by this step or an earlier one.
  var isInTransaction: Bool { transactions.isOpen }

  /// Reads boards that a rollback could not read.
  ///
  /// - Throws: IOError.
  func readBack() throws(DBusError) { try transactions.readBack() }
}

extension DBusError {
  /// The error for a call whose transaction was rolled back.
  static let rolledBack = DBusError(
    .ioError, "nothing was changed: the disk did not store the data")
}
