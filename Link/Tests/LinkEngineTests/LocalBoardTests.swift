import DragboardClient
import LinkEngine
import Testing

@Suite("The boards of a machine that are shared")
struct LocalBoardTests {
  private let link = "dragboard-link"
  private let server: TestServer
  private let anna: CommandMachine
  private let bert: CommandMachine

  /// Two machines share the board "errands" with two rows.
  init() async throws {
    server = try await TestServer()
    (anna, bert) = (try CommandMachine(), try CommandMachine())
    try anna.beginGroup(on: server, as: "anna")
    try anna.run("dragboard", "board", "add", "errands")
    try anna.run("dragboard", "add", "--board", "errands", "row-1", "row-2")
    #expect(try anna.run(link, "share", "errands").status == 0)
    try anna.admit(bert, as: "bert")
    for machine in [anna, bert] { try machine.startService() }
    try await waitForRows(["row-1", "row-2"])
  }

  private func rows(_ machine: CommandMachine, _ board: String = "errands") throws -> [Substring] {
    let text = try machine.run("dragboard", "list", "--board", board).text
    return text.matches(of: /row-[0-9a-z]+/).map(\.output)
  }

  /// Waits until both machines have these rows, in any order, and nothing is left to send or
  /// to read.
  private func waitForRows(_ expected: [Substring]) async throws {
    do {
      try await eventually("both machines have \(expected)") {
        try [anna, bert].allSatisfy { machine in
          let status = try machine.boardStatus("errands")
          return try rows(machine).sorted() == expected && status.pending == 0
            && status.entries != nil && status.read == status.entries
        }
      }
    } catch {
      Issue.record("anna has \(try rows(anna)), bert has \(try rows(bert))")
      throw error
    }
  }

  @Test("A machine that joins its group again after another group has each row once")
  func otherGroup() async throws {
    let carl = try CommandMachine()
    #expect(try carl.run(link, "setup", server.address().url, "--name", "carl").status == 0)
    try carl.run("dragboard", "add", "row-carl")
    #expect(try carl.run(link, "share", "default").status == 0)
    #expect(try bert.run(link, "leave").status == 0)
    try carl.admit(bert, as: "bert")
    #expect(try bert.run(link, "accept", "default").status == 0)
    try bert.startService()
    try carl.startService()
    try await eventually("bert follows the other group") {
      try rows(bert, "default") == ["row-carl"]
    }
    try bert.run("dragboard", "add", "--board", "errands", "row-3")
    #expect(try bert.run(link, "leave").status == 0)

    try anna.admit(bert, as: "bert")
    try bert.startService()
    try anna.run("dragboard", "add", "--board", "errands", "row-4")
    try await waitForRows(["row-1", "row-2", "row-3", "row-4"])
  }

  @Test("A board that was deleted returns at the next start of the service")
  func deleted() async throws {
    bert.endService()
    #expect(try bert.run("dragboard", "board", "remove", "errands").status == 0)
    try bert.startService()
    try await waitForRows(["row-1", "row-2"])
  }

  @Test(
    "A board that was deleted and created again has the rows of both boards",
    arguments: [true, false])
  func createdAgain(isServiceRunning: Bool) async throws {
    if isServiceRunning { bert.pauseService(true) } else { bert.endService() }
    let connection = try await bert.connect()
    let revision = try await connection.board(named: "errands").info().revision
    try await connection.deleteBoard(named: "errands")
    let board = try await connection.createBoard(named: "errands")
    // The new board has the id and the revision of the deleted board.
    var expected = ["row-1", "row-2"]
    while try await board.info().revision < revision {
      expected.append("row-new\(expected.count)")
      try await board.insert([expected.last ?? ""])
    }
    if isServiceRunning { bert.pauseService(false) } else { try bert.startService() }
    try await waitForRows(expected.map { $0[...] })
  }

  @Test("The rows that were deleted while the service did not run are deleted on all machines")
  func cleared() async throws {
    bert.endService()
    #expect(try bert.run("dragboard", "remove", "--board", "errands", "0", "1").status == 0)
    try bert.run("dragboard", "add", "--board", "errands", "row-3")
    try bert.startService()
    try await waitForRows(["row-3"])
  }

  @Test("A renamed board stays shared, also after a restart of the service")
  func renamed() async throws {
    #expect(try bert.run("dragboard", "board", "rename", "errands", "other").status == 0)
    bert.endService()
    try bert.startService()
    try bert.run("dragboard", "add", "--board", "other", "row-3")
    try await eventually("the row is on anna") { try rows(anna) == ["row-1", "row-2", "row-3"] }
    #expect(try rows(bert, "other") == ["row-1", "row-2", "row-3"])
    #expect(try !bert.run("dragboard", "boards").text.contains("errands"))
  }
}
