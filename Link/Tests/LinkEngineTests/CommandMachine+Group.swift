import LinkEngine
import Testing

/// The usual steps to a group whose machines share a board.
extension CommandMachine {
  /// Begins a group on a server.
  func beginGroup(on server: TestServer, as name: String) throws {
    #expect(
      try run("dragboard-link", "setup", server.address().url, "--name", name).status == 0)
  }

  /// Lets another machine join the group.
  func admit(_ machine: CommandMachine, as name: String) throws {
    let line = try run("dragboard-link", "invite").text
    #expect(try machine.run("dragboard-link", "join", "-", "--name", name, input: line).status == 0)
  }

  /// Makes a board, and shares it.
  func share(_ board: String) throws {
    try run("dragboard", "board", "add", board)
    #expect(try run("dragboard-link", "share", board).status == 0)
  }

  /// Returns two machines of a group; the first of them shares the board `errands`.
  static func pair(on server: TestServer) throws -> (anna: CommandMachine, bert: CommandMachine) {
    let (anna, bert) = (try CommandMachine(), try CommandMachine())
    try anna.beginGroup(on: server, as: "anna")
    try anna.admit(bert, as: "bert")
    try anna.share("errands")
    return (anna, bert)
  }
}
