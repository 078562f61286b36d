import DBus

/// Commits together what arrived together, and lets nobody see it before.
///
/// The first edit of a turn opens the batch: from then on what the connection sends is held back. At the end of the turn everything is
/// made durable at once, and then what was held goes out, in order. Where that fails, everything is as it was: what was edited is read
/// back from the repository, what else was changed is taken back, and the calls that edited, or asked an object that was edited, get
/// IOError.
final class Batch {
  /// What can be made durable, and be taken back.
  protocol Participant: AnyObject {
    /// The object on the bus.
    var path: ObjectPath { get }
    /// Hands what has changed to the repository.
    func save() throws(RepositoryError)
    /// Goes back to what the repository holds.
    func restore() throws(RepositoryError)
  }

  /// Called where what was edited can be neither stored nor read back: memory and disk differ, and the process must not go on.
  var onLoss: ((RepositoryError) -> Void)?
  private let server: ObjectServer
  private let repository: any BoardRepository
  private var participants: [ObjectIdentifier: any Participant] = [:]
  private var touched: Set<String> = []
  private var rollbacks: [() -> Void] = []
  private var failure: RepositoryError?
  private var isOpen = false

  init(_ server: ObjectServer, _ repository: any BoardRepository) {
    self.server = server
    self.repository = repository
  }

  private var connection: Connection { server.connection }

  // MARK: What belongs to it

  /// Opens the batch where it is not open: what the call in hand sends, and all that comes after, waits for the commit.
  private func open() {
    isOpen = true
    connection.hold()
  }

  /// Opens the batch and has `participant` saved at its end.
  func enlist(_ participant: any Participant) {
    touch(participant.path)
    participants[ObjectIdentifier(participant)] = participant
  }

  /// Has a participant saved no more: it is gone.
  func withdraw(_ participant: any Participant) {
    participants[ObjectIdentifier(participant)] = nil
  }

  /// Opens the batch: the object at `path` is no more what it was before.
  func touch(_ path: ObjectPath) {
    open()
    touched.insert(path.text)
  }

  /// Notes that the call in hand asks the object at `path`: where the batch has touched it, the answer depends on the commit.
  func reading(_ path: String) {
    if isOpen, touched.contains(path) { connection.hold() }
  }

  /// Has `body` called where the batch fails; the last one first.
  func onFailure(_ body: @escaping () -> Void) { rollbacks.append(body) }

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

  // MARK: Its end

  /// Commits and lets go of what was held.
  ///
  /// - Throws: why nothing was stored; then everything is as it was, and every client has been told.
  func conclude() throws(RepositoryError) {
    guard isOpen else { return }
    defer { clear() }
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

  private func clear() {
    isOpen = false
    participants = [:]
    touched = []
    rollbacks = []
    failure = nil
  }

  /// What is told while things go back to what they were is told to nobody: no client has heard that it was otherwise.
  private func takeBack(because error: RepositoryError) {
    repository.rollback()
    connection.refuseHeld(with: error.answer)
    connection.hold()
    for body in rollbacks.reversed() { body() }
    for participant in participants.values {
      do throws(RepositoryError) { try participant.restore() } catch { onLoss?(error) }
    }
    server.flushChanges()
    connection.dropHeld()
  }
}
