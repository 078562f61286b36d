import DBus
import DragboardStore

/// The results of all steps in one iteration of the event loop: the messages, the actions, and the
/// functions that roll changes back.
///
/// A step is a call, a timer or a completion. A step is uncommitted if it has changed a stored
/// entity, or has read an entity that the transaction changed. Otherwise the step is independent.
/// The first uncommitted step opens the transaction.
struct Transaction {
  /// An effect that cannot be rolled back, such as a load, a watch, or work on the disk.
  struct Action {
    /// Runs after the commit.
    let body: () -> Void
    /// Runs instead if the transaction is rolled back.
    let orElse: (() -> Void)?
  }

  private enum StepState {
    /// The step is independent, and has changed no entity.
    case unchanged
    /// The step is independent, and has changed an entity.
    case changed
    case uncommitted
  }

  /// The transaction's number, which a changed entity records.
  private(set) var number = 1
  /// Whether the transaction is open, because one of its steps is uncommitted.
  private(set) var isOpen = false
  private var step = StepState.unchanged
  /// The messages of all steps, in order.
  let outbox: Outbox
  /// The stored entities that have changed.
  private(set) var changed: [any StoredEntity] = []
  /// The first error of a write.
  ///
  /// After an error the transaction can only be rolled back.
  private(set) var failure: StoreError?
  /// The functions that restore changed values.
  ///
  /// The last one runs first.
  private var restores: [() -> Void] = []
  private var stepActions: [Action] = []
  private var actions: [Action] = []
  /// The index of the current step's first message.
  private var stepStart = 0
  /// The messages of earlier uncommitted steps.
  private var uncommitted: [Range<Int>] = []

  init(_ outbox: Outbox) { self.outbox = outbox }

  /// Whether ended steps have messages, and none of the messages waits for a commit.
  var hasReadyMessages: Bool { !isOpen && stepStart > 0 }

  // MARK: The current step

  var isStepUncommitted: Bool { step == .uncommitted }

  /// Makes the current step uncommitted, with everything that it has appended.
  ///
  /// The step must not have changed an entity before, because a rollback would not restore the
  /// earlier value.
  mutating func markUncommitted() {
    assert(step != .changed, "a step changed an entity while the step was independent")
    isOpen = true
    step = .uncommitted
  }

  /// Records that the current step changes an entity.
  mutating func noteChange() {
    if step == .unchanged { step = .changed }
  }

  mutating func append(_ action: Action) { stepActions.append(action) }

  /// Appends a function that restores a value that the current step changes.
  mutating func append(restore: @escaping () -> Void) { restores.append(restore) }

  /// Adds a stored entity that the current step changes.
  mutating func add(_ entity: any StoredEntity) {
    entity.changedIn = number
    guard changed.last !== entity, !changed.contains(where: { $0 === entity }) else { return }
    changed.append(entity)
  }

  /// Records that a write has failed.
  mutating func fail(_ error: StoreError) { failure = failure ?? error }

  /// Ends the current step.
  ///
  /// The next step begins as an independent step.
  ///
  /// - Returns: the actions that the caller must run now. An uncommitted step returns none, because
  ///   its actions wait for the commit.
  mutating func endStep() -> [Action] {
    let actions = stepActions
    if !actions.isEmpty { stepActions = [] }
    let end = outbox.count
    defer { (step, stepStart) = (.unchanged, end) }
    guard isStepUncommitted else { return actions }
    if stepStart < end { uncommitted.append(stepStart..<end) }
    self.actions += actions
    return []
  }

  // MARK: The end

  /// Replaces the messages of all steps by `others`, which do not wait for a commit.
  mutating func replaceMessages(with others: [OutgoingMessage] = []) {
    outbox.replace(with: others)
    stepStart = others.count
  }

  /// Ends the transaction after its commit.
  ///
  /// - Returns: the actions of uncommitted steps, which the caller must run now.
  mutating func commit() -> [Action] {
    defer { self.end() }
    return actions
  }

  /// Ends the transaction without a commit.
  ///
  /// The messages of independent steps stay. Replies of uncommitted steps become `error`, and signals
  /// of uncommitted steps are dropped.
  ///
  /// - Returns: the functions that restore values, in the order in which they run, and the actions
  ///   of uncommitted steps.
  mutating func rollBack(with error: DBusError) -> (restores: [() -> Void], actions: [Action]) {
    defer { self.end() }
    let messages = outbox.messages
    var (rest, end) = ([OutgoingMessage](), 0)
    for range in uncommitted {
      rest += messages[end..<range.lowerBound]
      rest += messages[range].compactMap { $0.replaced(by: error) }
      end = range.upperBound
    }
    rest += messages[end...]
    replaceMessages(with: rest)
    return (restores.reversed(), actions)
  }

  private mutating func end() {
    number += 1
    isOpen = false
    failure = nil
    restores = []
    actions = []
    changed.removeAll(keepingCapacity: changed.capacity <= Self.maxKept)
    uncommitted.removeAll(keepingCapacity: uncommitted.capacity <= Self.maxKept)
  }

  /// The maximum number of entries for which memory is retained.
  private static let maxKept = 1_024
}
