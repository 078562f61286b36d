import DBus
import DragboardStore

/// The results of the steps of one iteration of the event loop: messages, actions, and functions
/// that roll their changes back.
///
/// A step is a call, a timer or a completion. It is uncommitted if it has changed something stored,
/// or has read something that the transaction changed; otherwise it is certain. The first
/// uncommitted step opens the transaction.
struct Transaction {
  /// An effect that cannot be rolled back: a load, a watch, work on the disk.
  struct Action {
    /// Runs after the commit.
    let body: () -> Void
    /// Runs instead if the transaction is rolled back.
    let orElse: (() -> Void)?
  }

  private enum StepState {
    /// It is certain, and has changed nothing.
    case unchanged
    /// It is certain, and has changed an entity.
    case changed
    case uncommitted
  }

  /// The transaction's number; an entity is marked with it when it is changed.
  private(set) var number = 1
  /// Whether a step is uncommitted.
  private(set) var isOpen = false
  private var step = StepState.unchanged
  /// The messages of all steps, in order.
  private(set) var messages: [OutgoingMessage] = []
  /// The approximate size of the messages in bytes.
  private(set) var byteCount = 0
  /// The stored entities that have changed.
  private(set) var changed: [any StoredEntity] = []
  /// The first error of a write; the transaction can only be rolled back.
  private(set) var failure: StoreError?
  /// Restore changed values; the last one runs first.
  private var restores: [() -> Void] = []
  private var stepActions: [Action] = []
  private var actions: [Action] = []
  /// The index of the current step's first message.
  private var stepStart = 0
  /// The messages of earlier uncommitted steps.
  private var uncommitted: [Range<Int>] = []

  // MARK: The current step

  var isStepUncommitted: Bool { step == .uncommitted }

  /// Makes the current step uncommitted, with everything that it has appended.
  ///
  /// It must not have changed anything as a certain step: that would not be restored.
  mutating func markUncommitted() {
    assert(step != .changed, "a step changed an entity before it was uncommitted")
    isOpen = true
    step = .uncommitted
  }

  /// Notes that the current step changes an entity.
  mutating func noteChange() {
    if step == .unchanged { step = .changed }
  }

  mutating func append(_ message: OutgoingMessage) {
    messages.append(message)
    byteCount += message.byteCount
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

  /// Notes that a write has failed.
  mutating func fail(_ error: StoreError) { failure = failure ?? error }

  /// Ends the current step; the next one is certain at first.
  ///
  /// - Returns: the step's actions if it is certain: they run now.
  mutating func endStep() -> [Action] {
    let actions = stepActions
    if !actions.isEmpty { stepActions = [] }
    defer { (step, stepStart) = (.unchanged, messages.count) }
    guard isStepUncommitted else { return actions }
    if stepStart < messages.count { uncommitted.append(stepStart..<messages.count) }
    self.actions += actions
    return []
  }

  // MARK: The end

  /// Removes the messages, which have been sent.
  mutating func removeMessages() {
    messages.removeAll(keepingCapacity: messages.capacity <= Self.maxKept)
    (byteCount, stepStart) = (0, 0)
  }

  /// Ends the transaction after its commit.
  ///
  /// - Returns: the actions of uncommitted steps: they run now.
  mutating func commit() -> [Action] {
    defer { self.end() }
    return actions
  }

  /// Ends the transaction without a commit.
  ///
  /// Certain steps keep their messages. Replies of uncommitted steps become `error`; signals of
  /// these steps are dropped.
  ///
  /// - Returns: the functions that restore values, in the order in which they run, and the actions
  ///   of uncommitted steps.
  mutating func rollBack(with error: DBusError) -> (restores: [() -> Void], actions: [Action]) {
    defer { self.end() }
    var (rest, end) = ([OutgoingMessage](), 0)
    for range in uncommitted {
      rest += messages[end..<range.lowerBound]
      rest += messages[range].compactMap { $0.replaced(by: error) }
      end = range.upperBound
    }
    rest += messages[end...]
    removeMessages()
    for message in rest { append(message) }
    stepStart = messages.count
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

  /// The maximum number of entries whose memory is retained.
  private static let maxKept = 1_024
}
