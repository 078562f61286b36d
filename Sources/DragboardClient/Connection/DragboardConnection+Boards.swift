import DBus
import DragboardInterface

extension DragboardConnection {
  /// The board that always exists.
  public static let defaultBoard = Dragboard.defaultBoard

  /// Finds a board by its name.
  ///
  /// - Throws: `noSuchBoard`, `noDaemon`.
  public func board(named name: String) async throws(DragboardError) -> Board {
    Board(try await call(ManagerInterface.getBoard, at: Dragboard.root, name), on: self)
  }

  /// Returns all boards with their properties, sorted by name, in one call of the daemon.
  ///
  /// - Throws: `noDaemon`.
  public func boards() async throws(DragboardError) -> [(board: Board, info: BoardInfo)] {
    try await objects(with: BoardInterface.name)
      .map { path, properties throws(DragboardError) in
        (Board(path, on: self), try BoardInfo(properties))
      }
      .sorted { ($0.info.name, $0.board.id.path) < ($1.info.name, $1.board.id.path) }
  }

  /// Returns the open views of all applications with their properties, in one call of the daemon.
  ///
  /// The oldest view is first.
  /// - Throws: `noDaemon`.
  public func views() async throws(DragboardError) -> [(view: BoardView, info: ViewInfo)] {
    try await objects(with: ViewInterface.name)
      .map { path, properties throws(DragboardError) in
        (BoardView(try ViewID(path), on: self), try ViewInfo(properties))
      }
      .sorted { $0.view.id.number < $1.view.id.number }
  }

  /// Creates a board.
  ///
  /// - Parameter name: 1 to 64 Unicode scalars without controls.
  /// - Returns: the board.
  /// - Throws: `boardExists`, `invalidArguments`, `limitsExceeded`.
  public func createBoard(named name: String) async throws(DragboardError) -> Board {
    Board(try await call(ManagerInterface.createBoard, at: Dragboard.root, name), on: self)
  }

  /// Renames a board.
  ///
  /// Its id does not change.
  ///
  /// - Throws: `noSuchBoard`, `boardExists`, `invalidArguments`.
  public func renameBoard(named name: String, to newName: String) async throws(DragboardError) {
    try await call(ManagerInterface.renameBoard, at: Dragboard.root, name, newName)
  }

  /// Deletes a board with its rows.
  ///
  /// ``restoreBoard(named:)`` restores it.
  ///
  /// - Throws: `noSuchBoard`; `invalidArguments` for "default".
  public func deleteBoard(named name: String) async throws(DragboardError) {
    try await call(ManagerInterface.deleteBoard, at: Dragboard.root, name)
  }

  /// Deletes a board permanently.
  ///
  /// Nothing restores it, and the boards that can be restored stay the same.
  ///
  /// - Parameters:
  ///   - name: the name of the board.
  ///   - revision: the revision of the board that the caller knows; nil for any revision.
  /// - Throws: `noSuchBoard`; `staleRevision` if the board has another revision; `invalidArguments`
  ///   for "default".
  public func discardBoard(
    named name: String, ifAt revision: UInt64? = nil
  ) async throws(DragboardError) {
    try await call(ManagerInterface.discardBoard, at: Dragboard.root, name, revision ?? 0)
  }

  /// Restores a deleted board with its rows and its history; if several have the name, the latest
  /// one.
  ///
  /// - Returns: the board. It has its old id, unless another board has that id now.
  /// - Throws: `noSuchBoard`, `boardExists`, `limitsExceeded`.
  public func restoreBoard(named name: String) async throws(DragboardError) -> Board {
    Board(try await call(ManagerInterface.restoreBoard, at: Dragboard.root, name), on: self)
  }

  /// Returns the deleted boards that can be restored.
  ///
  /// The board that was deleted last is first.
  ///
  /// - Throws: `noDaemon`.
  public func deletedBoards() async throws(DragboardError) -> [DeletedBoard] {
    try await call(ManagerInterface.getDeletedBoards, at: Dragboard.root).map {
      let (name, count, time) = $0.members
      return DeletedBoard(
        name: name, count: Int(count), deleted: .microseconds(Int64(clamping: time)))
    }
  }
}
