import BoardModel
import DBus
import DragModel
import DragboardInterface
import DragboardStore

/// The registry of all boards, by name and by path.
///
/// Many calls depend on the list of boards and on their names. So a step that changes the registry
/// ends the iteration of the event loop, which commits the change. Then no later call sees a change
/// that a failed commit could roll back.
final class Boards {
  private let server: ObjectServer
  private let store: BoardStore
  private let limits: Limits
  private let ids: ItemIDs
  private let sessions: Sessions
  private let views: Views
  private let scheduler: Scheduler
  private let purge: Purge
  private let retention: Retention
  private let clock: AgeClock
  /// Returns the interfaces of a board.
  private let interfaces: (BoardEntity) -> [ObjectInterface]
  /// The boards in use, in the order of creation.
  private var all: [BoardEntity] = []

  init(
    _ server: ObjectServer, _ store: BoardStore, _ scheduler: Scheduler,
    _ purge: Purge, _ retention: Retention, limits: Limits, ids: ItemIDs, sessions: Sessions,
    views: Views, clock: AgeClock,
    interfaces: @escaping (BoardEntity) -> [ObjectInterface]
  ) {
    (self.server, self.store) = (server, store)
    (self.scheduler, self.purge, self.retention) = (scheduler, purge, retention)
    (self.limits, self.ids, self.sessions, self.views) = (limits, ids, sessions, views)
    (self.clock, self.interfaces) = (clock, interfaces)
    sessions.onDragsOfBoard = { [unowned self] key, step in
      all.first { $0.key == key }?.noteDrags(in: step)
    }
    purge.purgeBoards = { [unowned self] store throws(StoreError) in
      try purgeExpired(in: store)
    }
  }

  /// The paths of the boards, in the order of creation.
  var paths: [ObjectPath] { all.map(\.path) }

  /// Exports the boards of the store, and creates "default" if it is missing.
  func load(in step: Step) throws {
    for record in try store.boards() { add(try entity(of: record), in: step) }
    if !all.contains(where: { $0.header.name == Dragboard.defaultBoard }) {
      _ = try create(Dragboard.defaultBoard, in: step)
    }
  }

  private func entity(of record: BoardRecord) throws(StoreError) -> BoardEntity {
    try BoardEntity(
      record, ids: ids, limits: limits, in: store
    ) { [sessions, purge] rows throws(StoreError) in
      try sessions.preserveContents(of: rows)
      purge.later()
    }
  }

  /// Returns the board with a name.
  ///
  /// - Throws: NoSuchBoard if no board has the name.
  func find(_ name: String) throws(DBusError) -> BoardEntity {
    guard let board = all.first(where: { $0.header.name == name }) else {
      throw DBusError(.noSuchBoard, "name: there is no board \(name.quoted)")
    }
    return board
  }

  // MARK: Commands

  func create(_ name: String, by command: Command) throws(DBusError) -> BoardEntity {
    _ = try Name(argument: "name", name)
    try command.access.checkGoverns()
    return try create(name, in: command.step)
  }

  private func create(_ name: String, in step: Step) throws(DBusError) -> BoardEntity {
    try checkFree(name, argument: "name")
    try checkCount()
    let header = BoardHeader(
      pathElement: freePathElement(Dragboard.pathElement(name)), name: name, maxRows: 0,
      movesMultipleRows: false,
      acceptedTypes: [TypeQuery.any.description])
    let board = try step.write { store throws(StoreError) in
      let id = try store.createBoard(header)
      return try entity(of: BoardRecord(id: id, header: header, board: Board()))
    }
    addNew(board, in: step)
    return board
  }

  private func addNew(_ board: BoardEntity, in step: Step) {
    step.edit(board)
    step.onRollback { [self] in
      board.forget()
      remove(board, in: step)
    }
    step.commitNow()
    add(board, in: step)
  }

  func rename(
    _ name: String, to newName: String, by command: Command
  ) throws(DBusError) {
    _ = try Name(argument: "new_name", newName)
    try command.access.checkGoverns()
    let board = try find(name)
    guard name != Dragboard.defaultBoard else {
      throw DBusError(
        .invalidArgs, "name: the board 'default' cannot be renamed (expected another board)")
    }
    guard name != newName else { return }
    try checkFree(newName, argument: "new_name")
    // Set this before the write. If the write fails, the board has the new name until the rollback,
    // so the iteration must end in this case, too.
    command.step.commitNow()
    try board.changeHeader(in: command.step) { $0.name = newName }
  }

  func delete(_ name: String, by command: Command) throws(DBusError) {
    try command.access.checkGoverns()
    try delete(try findDeletable(name), in: command.step) { store throws(StoreError) in
      while try purgeExpired(in: store) {}
    }
  }

  /// Deletes a board permanently.
  ///
  /// - Throws: StaleRevision if `base` is neither the board's revision nor 0.
  func discard(_ name: String, base: UInt64, by command: Command) throws(DBusError) {
    try command.access.checkGoverns()
    let (board, step) = (try findDeletable(name), command.step)
    step.read(board)
    try board.checkBase(base)
    try delete(board, in: step) { store throws(StoreError) in
      try purge(board.id, in: store)
    }
  }

  private func findDeletable(_ name: String) throws(DBusError) -> BoardEntity {
    let board = try find(name)
    guard name != Dragboard.defaultBoard else {
      throw DBusError(
        .invalidArgs, "name: the board 'default' cannot be deleted (Clear empties it)")
    }
    return board
  }

  /// Deletes a board, and calls `purge` in the same transaction.
  private func delete(
    _ board: BoardEntity, in step: Step,
    purge purgeBoards: (BoardStore) throws(StoreError) -> Void
  ) throws(DBusError) {
    try step.write { store throws(StoreError) in
      // The end of the transaction does not save a deleted board. So its edits are saved now.
      try board.save(to: store)
      try store.deleteBoard(board.deleted(at: clock.now, in: store))
      try purgeBoards(store)
    }
    step.onRollback { [self] in add(board, in: step) }
    board.delete(in: step)
    step.commitNow()
    for view in board.views { views.close(view, in: step) }
    remove(board, in: step)
    step.afterCommit { [scheduler, purge] in
      purge.later()
      for insertion in board.pendingInsertions {
        scheduler.step { insertion.onBoardDeleted?($0) }
      }
    }
  }

  // MARK: Deleted boards

  /// Returns the deleted boards that can be restored, the latest first.
  func restorable(for command: Command) throws(DBusError) -> [DeletedBoard] {
    try command.access.checkGoverns()
    do throws(StoreError) { return try deleted(in: command.step.store).restorable } catch {
      throw error.answer
    }
  }

  /// Restores the deleted board with a name; if there are several, the latest one.
  func restore(_ name: String, by command: Command) throws(DBusError) -> BoardEntity {
    let step = command.step
    guard let deleted = try restorable(for: command).first(where: { $0.header.name == name }) else {
      throw DBusError(
        .noSuchBoard,
        "name: there is no deleted board \(name.quoted) to restore (GetDeletedBoards returns the names)"
      )
    }
    try checkFree(name, argument: "name")
    try checkCount()
    var header = deleted.header
    header.pathElement = freePathElement(header.pathElement)
    let board: BoardEntity
    do throws(StoreError) {
      let rows = try step.store.board(deleted.id)
      board = try entity(of: BoardRecord(id: deleted.id, header: header, board: rows))
    } catch { throw error.answer }
    try step.write { store throws(StoreError) in
      try store.restoreBoard(board.id, at: header.pathElement)
    }
    addNew(board, in: step)
    return board
  }

  private func deleted(in store: BoardStore) throws(StoreError) -> DeletedBoards {
    // While the clock may be wrong, no board counts as old.
    let isSure = clock.delay(ofDeletionAt: DeletedBoards.maxAge) == .zero
    return DeletedBoards(
      try store.deletedBoards(), maxBytes: limits.undoBytes, at: isSure ? clock.now : 0)
  }

  /// Permanently deletes one board that can no longer be restored.
  ///
  /// - Returns: whether there was such a board.
  private func purgeExpired(in store: BoardStore) throws(StoreError) -> Bool {
    guard let board = try deleted(in: store).expired.last else { return false }
    try purge(board.id, in: store)
    return true
  }

  /// Permanently deletes a board that was deleted before.
  private func purge(_ id: BoardNumber, in store: BoardStore) throws(StoreError) {
    try sessions.preserveContents(ofRowsOf: BoardKey(id.rawValue))
    try store.purgeBoard(id)
  }

  // MARK: The list

  /// Adds a board at its position in the order of creation, which is the order of the board
  /// numbers.
  private func add(_ board: BoardEntity, in step: Step) {
    all.insert(board, at: all.firstIndex { $0.id > board.id } ?? all.endIndex)
    server.export(board.path, interfaces(board))
    retention.watch(board)
    step.noteChange(of: ManagerInterface.boards, at: Dragboard.root)
  }

  private func remove(_ board: BoardEntity, in step: Step) {
    all.removeAll { $0 === board }
    server.withdraw(board.path)
    step.noteChange(of: ManagerInterface.boards, at: Dragboard.root)
  }

  private func checkFree(_ name: String, argument: String) throws(DBusError) {
    guard !all.contains(where: { $0.header.name == name }) else {
      throw DBusError(.boardExists, "\(argument): the board \(name.quoted) already exists")
    }
  }

  private func checkCount() throws(DBusError) {
    guard all.count < limits.maxBoards else { throw .limit("name: max-boards", limits.maxBoards) }
  }

  /// Returns the path element, with `_2`, `_3`, … appended if another board has it.
  private func freePathElement(_ element: String) -> String {
    let taken = Set(all.map(\.header.pathElement))
    guard taken.contains(element) else { return element }
    return (2...).lazy.map { "\(element)_\($0)" }.first { !taken.contains($0) } ?? element
  }
}
