import DBus
import DragboardStore
import Logging

/// Commits together what arrived together, and lets nobody see it before.
///
/// The first edit of a turn opens the batch: from then on replies and signals wait here. At the end of the turn everything is made durable
/// at once, and then the messages go out, in order. Where that fails, everything is as it was: what was edited is read
/// back from the repository, what else was changed is taken back, and the calls that edited, or read what was edited, get IOError.
final class Batch {
  /// What can be made durable, and be taken back.
  protocol Participant: AnyObject {
    /// Hands what has changed to the repository.
    func save() throws(StoreError)
    /// Goes back to what the repository holds.
    func restore() throws(StoreError)
  }

  private let connection: Connection
  private unowned let server: ObjectServer
  private let repository: any BoardRepository
  private let log: Logger
  /// What is saved at the end, and what was, but is gone: it is only restored.
  private var participants: [ObjectIdentifier: (participant: any Participant, isSaved: Bool)] = [:]
  /// What the batch has changed: whoever reads it has read what may be taken back.
  private var touched: Set<ObjectIdentifier> = []
  private var rollbacks: [() -> Void] = []
  private var failure: StoreError?
  /// What a failed batch has edited and could not be read back yet: in memory it is not what it is in the repository.
  private var unrestored: [any Participant] = []
  private(set) var isOpen = false
  /// The messages that wait for the commit.
  private var messages = StepMessages()
  /// Whether messages are dropped: a rollback reports nothing, as nobody has seen the edits.
  private var isRollingBack = false
  /// Why the latest batch was not stored: said once, however many come after it.
  private var refusal: StoreError?

  init(_ server: ObjectServer, _ repository: any BoardRepository, _ log: Logger) {
    connection = server.connection
    self.server = server
    self.repository = repository
    self.log = log
  }

  /// Opens the batch where it is not open: what the call in hand sends, and all that comes after, waits for the commit.
  func open() {
    isOpen = true
    connection.readsAhead = true
    messages.markStepUncommitted()
  }

  /// Begins a step: a call, a timer or a completion.
  ///
  /// A message may cause several independent changes; each of them is a step.
  func beginStep() {
    server.flushChanges()
    messages.beginStep()
  }

  /// Opens the batch and has `participant` saved at its end.
  func enlist(_ participant: any Participant) {
    open()
    touched.insert(ObjectIdentifier(participant))
    participants[ObjectIdentifier(participant)] = (participant, true)
  }

  /// Has a participant saved no more: it is gone, unless the batch fails.
  func withdraw(_ participant: any Participant) {
    participants[ObjectIdentifier(participant)]?.isSaved = false
  }

  /// Has `body` called where the batch fails; the last one first.
  func onFailure(_ body: @escaping () -> Void) { rollbacks.append(body) }

  /// Whether what the event in hand does is taken back where the batch fails.
  var isProvisional: Bool { isOpen && messages.isStepUncommitted }

  /// What becomes of what the event in hand begins, and what goes on after its batch.
  final class Fate {
    /// Whether the batch has failed: what it began has not been, either.
    fileprivate(set) var isTakenBack = false
  }

  /// Tells, later, whether the event in hand has been taken back.
  func fate() -> Fate {
    let fate = Fate()
    if isProvisional { rollbacks.append { fate.isTakenBack = true } }
    return fate
  }

  /// Notes a change of `object` by an event that is provisional; `undo` takes it back where nothing else does.
  func touch(_ object: AnyObject, undo: (() -> Void)? = nil) {
    touched.insert(ObjectIdentifier(object))
    if let undo { rollbacks.append(undo) }
  }

  /// Holds back the answer to a call that reads what an open batch has changed.
  func reading(_ object: AnyObject) {
    if isOpen, touched.contains(ObjectIdentifier(object)) { messages.markStepUncommitted() }
  }

  /// Holds back the answer to a call that may read anything.
  func readingAll() {
    if isOpen { messages.markStepUncommitted() }
  }

  /// Concludes the batch with the call in hand: calls that come after find what it leaves.
  func endSoon() { connection.endIteration() }

  /// Writes to the repository; where that fails, the whole batch does.
  func write<Result>(
    _ body: () throws(StoreError) -> Result
  ) throws(DBusError) -> Result {
    open()
    do throws(StoreError) { return try body() } catch {
      failure = failure ?? error
      throw error.answer
    }
  }

  /// Commits and publishes.
  func conclude() { try? concludeLogging() }

  /// Commits before the call in hand goes on, which is not of the batch yet.
  ///
  /// - Throws: IOError if nothing of the batch was stored, and the call has read some of it.
  func concludeBeforeCall() throws(DBusError) {
    let restsOnBatch = isProvisional
    do throws(StoreError) { try concludeLogging() } catch {
      if restsOnBatch { throw error.answer }
    }
  }

  private func concludeLogging() throws(StoreError) {
    do throws(StoreError) { try commit() } catch {
      if error != refusal {
        refusal = error
        log.error("edits are not stored: \(error)")
      }
      throw error
    }
  }

  /// Concludes the batch, and says so where nothing of it was stored.
  func commit() throws(StoreError) {
    guard isOpen else { return }
    do throws(StoreError) {
      if let failure { throw failure }
      for (participant, isSaved) in participants.values where isSaved { try participant.save() }
      try repository.commit()
    } catch {
      takeBack(because: error)
      throw error
    }
    // Who has called waits for this, and for nothing that is tidied up.
    publish()
    end()
    guard refusal != nil else { return }
    refusal = nil
    log.notice("edits are stored again")
  }

  private func publish() {
    connection.send(messages.all)
    messages.removeAll()
  }

  private func end() {
    isOpen = false
    connection.readsAhead = false
    participants.removeAll(keepingCapacity: participants.capacity <= Self.mostKept)
    touched.removeAll(keepingCapacity: touched.capacity <= Self.mostKept)
    rollbacks = []
    failure = nil
  }

  /// For so many of each the memory is kept.
  private static let mostKept = 64

  private func takeBack(because error: StoreError) {
    repository.rollback()
    let (rollbacks, participants) = (rollbacks, participants.values.map(\.participant))
    end()
    messages.refuseUncommitted(with: error.answer)
    isRollingBack = true
    for body in rollbacks.reversed() { body() }
    unrestored += participants
    _ = try? restore()
    server.flushChanges()
    isRollingBack = false
    publish()
  }

  /// Reads back what a failed batch has edited, where that has not been possible yet: until it is, nobody may see it.
  ///
  /// - Throws: IOError.
  func restore() throws(DBusError) {
    while let participant = unrestored.last {
      do throws(StoreError) { try participant.restore() } catch {
        log.critical("a board cannot be read back: \(error)")
        throw error.answer
      }
      unrestored.removeLast()
    }
  }
}

extension Batch: MessageSink {
  /// Sends a message, after the commit if the batch is open.
  func send(_ message: OutgoingMessage) {
    guard !isRollingBack else { return }
    if isOpen { messages.append(message) } else { connection.send(message) }
  }

  /// About how many bytes wait for the commit.
  var byteCount: Int { messages.byteCount }
}
