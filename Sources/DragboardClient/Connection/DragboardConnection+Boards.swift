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

  /// Every board with what it says of itself, sorted by name.
  ///
  /// One question to the daemon.
  /// - Throws: `noDaemon`.
  public func boards() async throws(DragboardError) -> [(board: Board, info: BoardInfo)] {
    var boards: [(board: Board, info: BoardInfo)] = []
    for (path, interfaces) in try await managedObjects() {
      guard let properties = interfaces[BoardInterface.name.text] else { continue }
      boards.append((Board(path, on: self), try BoardInfo(Properties(properties))))
    }
    return boards.sorted { ($0.info.name, $0.board.id.path) < ($1.info.name, $1.board.id.path) }
  }

  /// Every view that is open, whoever opened it, with what it says of itself; the oldest first.
  ///
  /// One question to the daemon.
  /// - Throws: `noDaemon`.
  public func views() async throws(DragboardError) -> [(view: BoardView, info: ViewInfo)] {
    var views: [(view: BoardView, info: ViewInfo)] = []
    for (path, interfaces) in try await managedObjects() {
      guard let properties = interfaces[ViewInterface.name.text] else { continue }
      let info = try ViewInfo(Properties(properties))
      views.append((BoardView(try ViewID(path), on: self), info))
    }
    return views.sorted { $0.view.id.number < $1.view.id.number }
  }

  /// Makes a board.
  ///
  /// - Parameter name: 1 to 64 Unicode scalars without controls.
  /// - Returns: the new board.
  /// - Throws: `boardExists`, `invalidArguments`, `limitsExceeded`.
  public func createBoard(named name: String) async throws(DragboardError) -> Board {
    Board(try await call(ManagerInterface.createBoard, at: Dragboard.root, name), on: self)
  }

  /// Gives a board another name; the board's id stays.
  ///
  /// - Throws: `noSuchBoard`, `boardExists`, `invalidArguments`.
  public func renameBoard(named name: String, to newName: String) async throws(DragboardError) {
    try await call(ManagerInterface.renameBoard, at: Dragboard.root, name, newName)
  }

  /// Deletes a board with every row it holds.
  ///
  /// - Throws: `noSuchBoard`; `invalidArguments` for "default".
  public func deleteBoard(named name: String) async throws(DragboardError) {
    try await call(ManagerInterface.deleteBoard, at: Dragboard.root, name)
  }

  func managedObjects() async throws(DragboardError)
    -> [ObjectPath: ObjectManagerInterface.Interfaces]
  {
    try await call(ObjectManagerInterface.getManagedObjects, at: Dragboard.root)
  }
}
