import ArgumentParser
import DragboardClient
import LinkEngine

struct Share: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Share a board with all machines of the group.")

  @Argument(help: "Name of the board.")
  var board: String

  func run() async throws {
    let group = try ConfigurationStore.ofUser.openGroup()
    // This call throws an error if no board has this name.
    _ = try await DragboardConnection.connect().board(named: board)
    try await group.share(board)
  }
}

struct Unshare: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "End the sharing of a board; every machine retains its copy.")

  @Argument(help: "Name of the board.")
  var board: String

  func run() async throws {
    try await ConfigurationStore.ofUser.openGroup().unshare(board)
  }
}
