import DBus
import DragboardStore
import Logging

/// The owner of the transaction of each iteration.
///
/// It commits the uncommitted steps of an iteration of the event loop together, and publishes their
/// messages after the commit.
///
/// Every call, timer and completion is a step. Steps append replies, signals and actions. The
/// messages of independent steps are published when the steps end; the messages of uncommitted
/// steps are published when the transaction is committed, at the end of the iteration. If the
/// commit fails, all changes are rolled back. Then every call that wrote, or that read a changed
/// entity, receives IOError.
final class Transactions {
  let connection: Connection
  unowned let server: ObjectServer
  let store: BoardStore
  private let log: Logger
  /// The messages that wait for the end of a step or of the transaction.
  let outbox = Outbox()
  /// The transaction, which only the current step and this object change.
  var transaction: Transaction
  /// The entities that a rollback could not read back.
  ///
  /// Their values in memory differ from the store.
  private var unreadable: [any StoredEntity] = []
  /// The number of steps that will complete work that has begun.
  var pendingSteps = 0
  /// The reason why the latest commit failed.
  ///
  /// If the next commit fails for the same reason, it is not logged again.
  private var loggedFailure: StoreError?

  init(_ server: ObjectServer, _ store: BoardStore, _ log: Logger) {
    connection = server.connection
    self.server = server
    self.store = store
    self.log = log
    transaction = Transaction(outbox)
    server.outbox = outbox
  }

  /// Whether a message waits for a commit.
  var isOpen: Bool { transaction.isOpen }

  // MARK: Steps

  /// The step that began last.
  var current: Step { Step(self) }

  /// Begins a step, and ends the previous one.
  func beginStep() { endStep() }

  /// Runs `body` as a separate step.
  ///
  /// If a message causes several independent changes, each of them is a step. If this function is
  /// called within another step or an action, it ends the other step first. The code after the call
  /// belongs to a new step.
  func step(_ body: (Step) -> Void) {
    beginStep()
    body(current)
    endStep()
  }

  private func endStep() {
    server.flushChanges()
    let actions = transaction.endStep()
    if transaction.hasReadyMessages { sendMessages() }
    for action in actions { action.body() }
  }

  /// Ends the iteration with a commit, and publishes the messages.
  ///
  /// If actions after the commit change entities, another commit follows.
  func endIteration() {
    repeat { try? commit() } while transaction.isOpen
  }

  // MARK: The commit

  /// Commits, and publishes the messages.
  ///
  /// - Throws: the error of the store if nothing was stored.
  func commit() throws(StoreError) {
    endStep()
    guard transaction.isOpen else { return }
    do throws(StoreError) {
      if let failure = transaction.failure { throw failure }
      for entity in transaction.changed { try entity.save(to: store) }
      try store.commit()
    } catch {
      rollBack(because: error)
      throw error
    }
    connection.readsAhead = false
    let actions = transaction.commit()
    publish()
    for action in actions { action.body() }
    guard loggedFailure != nil else { return }
    loggedFailure = nil
    log.notice("edits can be stored again")
  }

  private func sendMessages() {
    connection.send(outbox.messages)
    transaction.replaceMessages()
  }

  private func publish() {
    sendMessages()
    // Sends the replies before the actions run, so that callers do not wait for the actions.
    connection.flush()
  }

  private func rollBack(because error: StoreError) {
    store.rollback()
    connection.readsAhead = false
    let changed = transaction.changed
    let (restores, actions) = transaction.rollBack(with: error.answer)
    let messages = outbox.messages
    for restore in restores { restore() }
    unreadable += changed
    try? readBack()
    server.discardChanges()
    // No client has seen the changes that are rolled back, so none needs a message about the
    // restored values.
    transaction.replaceMessages(with: messages)
    publish()
    for action in actions { action.orElse?() }
    endStep()
    guard error != loggedFailure else { return }
    loggedFailure = error
    log.error("edits are not stored: \(error)")
  }

  /// Reads back the boards that a rollback could not read.
  ///
  /// Until this succeeds, the reply to every call is IOError.
  ///
  /// - Throws: IOError if a board cannot be read now.
  func readBack() throws(DBusError) {
    while let entity = unreadable.last {
      do throws(StoreError) { try entity.readBack(from: store) } catch {
        log.critical("a board cannot be read back after a rollback: \(error)")
        throw error.answer
      }
      unreadable.removeLast()
    }
  }
}
