import BoardModel
import DBus
import DragModel
import DragboardInterface
import DragboardStore

/// All boards, by name and by path.
final class BoardCollection {
  private unowned let service: Service
  private let tables = (
    board: BoardTables.board(), source: DragSourceTable.table(), target: DropTargetTable.table(),
    views: ViewsTable.table()
  )
  /// In the order of their making.
  private var all: [BoardObject] = []

  init(_ service: Service) { self.service = service }

  /// The boards' paths, in the order of their making.
  var paths: [ObjectPath] { all.map(\.path) }

  /// Exports every board that the repository has, and makes "default" where there is none.
  func load() throws {
    for record in try service.repository.boards() {
      add(try BoardObject(record, service: service))
    }
    if !all.contains(where: { $0.header.name == Dragboard.defaultBoard }) {
      _ = try create(Dragboard.defaultBoard, by: nil)
      try service.batch.commit()
    }
  }

  /// The board of that name.
  ///
  /// - Throws: NoSuchBoard.
  func find(_ name: String, argument: String = "name") throws(DBusError) -> BoardObject {
    guard let board = all.first(where: { $0.header.name == name }) else {
      throw DBusError(.noSuchBoard, "\(argument): there is no board \(name.quoted)")
    }
    return board
  }

  /// The board at that path.
  func find(path: String) -> BoardObject? { all.first { $0.path.text == path } }

  /// The board with that number, where it has not been deleted.
  func find(_ id: BoardID) -> BoardObject? { all.first { $0.id == id } }

  /// Makes a board; without an access it is the daemon itself that does.
  func create(_ name: String, by access: BoardAccess?) throws(DBusError) -> BoardObject {
    try checkName(name, argument: "name")
    try access?.checkGoverns()
    try checkFree(name, argument: "name")
    guard all.count < service.limits.maxBoards else {
      throw .limit("max-boards", service.limits.maxBoards)
    }
    let header = BoardHeader(
      pathElement: freePathElement(name), name: name, maxRows: 0, movesMultipleRows: false,
      acceptedTypes: [ContentType.plainText.description])
    let board = try service.batch.write { () throws(StoreError) in
      let id = try service.repository.createBoard(header)
      return try BoardObject(
        BoardRecord(id: id, header: header, board: Board()), service: service)
    }
    service.batch.enlist(board)
    service.batch.onFailure { [self] in remove(board) }
    service.batch.endSoon()
    add(board)
    return board
  }

  func rename(
    _ name: String, to newName: String, by access: BoardAccess
  ) throws(DBusError) {
    try checkName(newName, argument: "new_name")
    try access.checkGoverns()
    let board = try find(name)
    guard name != Dragboard.defaultBoard else {
      throw DBusError(.invalidArgs, "name: the board 'default' cannot be renamed")
    }
    guard name != newName else { return }
    try checkFree(newName, argument: "new_name")
    // Also if the name cannot be written: until the batch ends, the board has it.
    service.batch.endSoon()
    try board.changeHeader { $0.name = newName }
  }

  func delete(_ name: String, by access: BoardAccess) throws(DBusError) {
    try access.checkGoverns()
    let board = try find(name)
    guard name != Dragboard.defaultBoard else {
      throw DBusError(.invalidArgs, "name: the board 'default' cannot be deleted; Clear empties it")
    }
    try service.batch.write { () throws(StoreError) in
      try service.sessions.preserveContents(ofRowsOf: board)
      // What the batch has inserted goes with the board, where the repository knows of it.
      try board.save()
      try service.repository.deleteBoard(board.id)
    }
    service.batch.withdraw(board)
    let index = all.firstIndex { $0 === board } ?? all.endIndex
    service.batch.onFailure { [self] in add(board, at: index) }
    service.batch.endSoon()
    for view in board.views { service.views.close(view) }
    remove(board)
    board.tellGone()
    service.purgeLater()
  }

  // MARK: The list
  //
  // What boards there are, and under which names, many calls ask. So a batch that changes it ends with the call that does: no call
  // finds a board there or gone that a failure could still take back.

  private func add(_ board: BoardObject, at index: Int? = nil) {
    all.insert(board, at: index ?? all.endIndex)
    service.server.export(
      board.path,
      [
        ObjectInterface(tables.board, of: board), ObjectInterface(tables.source, of: board),
        ObjectInterface(tables.target, of: board), ObjectInterface(tables.views, of: board),
      ])
    service.server.noteChange(of: ManagerInterface.boards, at: Dragboard.root)
  }

  private func remove(_ board: BoardObject) {
    all.removeAll { $0 === board }
    service.server.withdraw(board.path)
    service.server.noteChange(of: ManagerInterface.boards, at: Dragboard.root)
  }

  private func checkName(_ name: String, argument: String) throws(DBusError) {
    do throws(NameFault) { _ = try Name(name) } catch {
      throw DBusError(.invalidArgs, "\(argument): \(error)")
    }
  }

  private func checkFree(_ name: String, argument: String) throws(DBusError) {
    guard !all.contains(where: { $0.header.name == name }) else {
      throw DBusError(.boardExists, "\(argument): there is a board \(name.quoted) already")
    }
  }

  /// The name as a path element, with `_2`, `_3` … where another board has that.
  private func freePathElement(_ name: String) -> String {
    let taken = Set(all.map(\.header.pathElement))
    let element = Dragboard.pathElement(name)
    guard taken.contains(element) else { return element }
    return (2...).lazy.map { "\(element)_\($0)" }.first { !taken.contains($0) } ?? element
  }
}
