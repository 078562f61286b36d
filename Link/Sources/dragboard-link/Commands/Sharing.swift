import DragboardClient
import Files
import LinkArguments
import LinkEngine
import LinkModel
import LinkState
import Text

extension LinkShare: PerformedSubcommand where Completions == NoCompletions {
  func perform() async throws {
    let store = ConfigurationStore.ofUser
    let group = try store.openGroup()
    // This call throws an error if no board has this name.
    let path = try await DragboardConnection.connect().board(named: board).id.path
    try await Self.share(path, named: board, in: group)
    FileDescriptor.standardOutput.print(await group.state.boardList)
  }

  /// Shares the daemon's board with an object path.
  static func share(_ path: String, named board: String, in group: Group) async throws {
    let log = LogID.random()
    // The service reads the new entry of the group at once, and must then know the board.
    try group.database.setBoard(path, ofLog: "\(log)")
    do { try await group.share(board, as: log) } catch {
      try? group.database.removeLog("\(log)")
      throw error
    }
  }
}

extension LinkAccept: PerformedSubcommand where Completions == NoCompletions {
  func perform() async throws { try await Self.accept(board, in: .ofUser) }

  /// Accepts a board of the group.
  static func accept(_ board: String, in store: ConfigurationStore) async throws {
    let group = try store.openGroup()
    let log = try await group.log(ofBoard: board)
    let boards = try await DragboardConnection.connect().boards()
    let path = boards.first { $0.info.name == board }?.board.id.path ?? ""
    try group.database.setBoard(path, ofLog: "\(log)")
    ServiceLock.update(in: store)
  }
}

extension GroupState {
  /// A line with the names of the shared boards.
  var boardList: String {
    let names = boards.values.sorted().joined(separator: ", ").harmlessLine()
    return "Shared boards: \(names.isEmpty ? "none" : names)\n"
  }
}

extension LinkUnshare: PerformedSubcommand where Completions == NoCompletions {
  func perform() async throws {
    try await ConfigurationStore.ofUser.openGroup().unshare(board)
  }
}
