import DBus
import Logging

/// Commits together what arrived together, and lets nobody see it before.
///
/// The first edit of a turn opens the batch: from then on what the connection sends is held back. At the end of the turn everything is
/// made durable at once, and then what was held goes out, in order. Where that fails, everything is as it was: what was edited is read
/// back from the repository, what else was changed is taken back, and the calls that edited, or read what was edited, get IOError.
final class Batch {
  /// What can be made durable, and be taken back.
  protocol Participant: AnyObject {
    /// Hands what has changed to the repository.
    func save() throws(RepositoryError)
    /// Goes back to what the repository holds.
    func restore() throws(RepositoryError)
  }

  private let server: ObjectServer
  private var connection: Connection { server.connection }
  private let repository: any BoardRepository
  private let log: Logger
  private var participants: [ObjectIdentifier: any Participant] = [:]
  private var rollbacks: [() -> Void] = []
  private var failure: RepositoryError?
  private(set) var isOpen = false

  init(_ server: ObjectServer, _ repository: any BoardRepository, _ log: Logger) {
    self.server = server
    self.repository = repository
    self.log = log
  }

  /// Opens the batch where it is not open: what the call in hand sends, and all that comes after, waits for the commit.
  func open() {
    isOpen = true
    connection.hold()
  }

  /// Opens the batch and has `participant` saved at its end.
  func enlist(_ participant: any Participant) {
    open()
    participants[ObjectIdentifier(participant)] = participant
  }

  /// Has a participant saved no more: it is gone.
  func withdraw(_ participant: any Participant) {
    participants[ObjectIdentifier(participant)] = nil
  }

  /// Has `body` called where the batch fails; the last one first.
  func onFailure(_ body: @escaping () -> Void) { rollbacks.append(body) }

  /// Holds back the answer to a call that reads what an open batch has edited.
  func reading(_ participant: any Participant) {
    if isOpen, participants[ObjectIdentifier(participant)] != nil { connection.hold() }
  }

  /// Writes to the repository; where that fails, the whole batch does.
  func write<Result>(
    _ body: () throws(RepositoryError) -> Result
  ) throws(DBusError) -> Result {
    open()
    do throws(RepositoryError) { return try body() } catch {
      failure = failure ?? error
      throw error.answer
    }
  }

  /// Commits and lets go of what was held.
  ///
  /// - Throws: why nothing was stored; then everything is as it was, and every client has been told.
  func conclude() throws(RepositoryError) {
    guard isOpen else { return }
    defer {
      isOpen = false
      participants = [:]
      rollbacks = []
      failure = nil
    }
    do throws(RepositoryError) {
      if let failure { throw failure }
      for participant in participants.values { try participant.save() }
      try repository.commit()
      connection.releaseHeld()
    } catch {
      takeBack(because: error)
      throw error
    }
  }

  /// What is told while things go back to what they were tells clients nothing: they have not heard that it was otherwise.
  private func takeBack(because error: RepositoryError) {
    repository.rollback()
    connection.refuseHeld(with: error.answer)
    connection.hold()
    for body in rollbacks.reversed() { body() }
    for participant in participants.values {
      do throws(RepositoryError) { try participant.restore() } catch {
        log.critical("a board cannot be read back: \(error.message)")
      }
    }
    server.flushChanges()
    connection.dropHeld()
  }
}
