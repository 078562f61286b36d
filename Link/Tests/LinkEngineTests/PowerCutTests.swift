import LinkEngine
import Testing

@Suite("A power cut of a whole cluster", .serialized)
struct PowerCutTests {
  private let link = "dragboard-link"

  /// Two machines that share the board `errands`, each with a server of its own.
  private func machines(_ servers: [TestServer]) async throws -> [CommandMachine] {
    let (anna, bert) = (try CommandMachine(), try CommandMachine())
    let url = try servers[0].address().url
    try await eventually("the cluster has a leader") {
      try anna.run(link, "setup", url, "--name", "anna").status == 0
    }
    try anna.admit(bert, as: "bert")
    try bert.useServer(servers[1].address().url)
    try anna.share("errands")
    for machine in [anna, bert] { try machine.startService() }
    return [anna, bert]
  }

  private func rows(_ machine: CommandMachine, _ board: String) throws -> [Substring] {
    let result = try machine.run("dragboard", "list", "--board", board)
    return result.text.matches(of: /row-[a-z0-9-]+/).map(\.output)
  }

  private func add(
    _ row: String, to board: String = "errands", of machine: CommandMachine, isLarge: Bool = false
  ) throws {
    let text = isLarge ? large(row) : row
    let result = try machine.run("dragboard", "add", "--board", board, "--stdin", input: text)
    #expect(result.status == 0)
  }

  /// The text of a row whose content is so large that the server stores it in several chunks.
  private func large(_ row: String) -> String { row + String(repeating: "\nlarge", count: 200_000) }

  /// Waits until a machine has the whole content of a large row.
  private func waitForContent(of row: String, on machine: CommandMachine) async throws {
    try await eventually("the content of \(row) is complete", seconds: 60) {
      let rows = try self.rows(machine, "errands")
      guard let index = rows.firstIndex(of: row[...]) else { return false }
      let result = try machine.run("dragboard", "get", "--board", "errands", "\(index)")
      return result.text == large(row)
    }
  }

  /// Waits until a board has the same rows on all machines, and nothing is left to send or to read.
  private func waitForRows(
    _ expected: Set<String>, on board: String = "errands", of machines: [CommandMachine]
  ) async throws {
    let words = "all machines have the same rows of \(board), and these rows: \(expected.sorted())"
    try await eventually(words, seconds: 120) {
      let rows = try machines.map { try self.rows($0, board) }
      guard Set(rows).count == 1, Set(rows[0].map(String.init)) == expected,
        rows[0].count == expected.count
      else { return false }
      return try machines.allSatisfy { machine in
        let status = try machine.boardStatus(board)
        return status.pending == 0 && status.entries != nil && status.read == status.entries
      }
    }
  }

  @Test(
    "The machines restore the logs of the board and of the group",
    arguments: ["at the same time", "at different times"])
  func rollback(copies: String) async throws {
    let servers = try await TestServer.cluster(on: [.local, .local, .local])
    let machines = try await machines(servers)
    try add("row-before", of: machines[0], isLarge: true)
    try await waitForRows(["row-before"], of: machines)

    // The rows and the stores on the disks of the servers after the power cut.
    var expected: Set = ["row-before"]
    var disks: [String] = []
    if copies == "at the same time" { for server in servers { server.pause(true) } }
    for (number, server) in servers.enumerated() {
      server.pause(true)
      disks.append(try server.copyStore())
      guard copies == "at different times" else { continue }
      server.pause(false)
      try add("row-between-\(number)", of: machines[number % 2])
      expected.insert("row-between-\(number)")
      try await waitForRows(expected, of: machines)
    }
    for server in servers { server.pause(false) }

    // The lost entries: edits of both machines, and another shared board.
    for (number, machine) in machines.enumerated() {
      try add("row-lost-\(number)", of: machine)
      expected.insert("row-lost-\(number)")
    }
    try machines[1].share("later")
    try add("row-later", to: "later", of: machines[1])
    try await waitForRows(expected, of: machines)
    try await waitForRows(["row-later"], on: "later", of: machines)

    for server in servers { server.stop() }
    for (number, machine) in machines.enumerated() {
      try add("row-offline-\(number)", of: machine, isLarge: true)
      expected.insert("row-offline-\(number)")
    }
    for (server, disk) in zip(servers, disks) { try server.restoreStore(disk) }
    for server in servers { try await server.start() }
    try await waitForRows(expected, of: machines)
    try await waitForRows(["row-later"], on: "later", of: machines)

    let carl = try CommandMachine()
    try machines[0].admit(carl, as: "carl")
    try carl.startService()
    try add("row-after", of: machines[1])
    expected.insert("row-after")
    try await waitForRows(expected, of: machines + [carl])
    try await waitForRows(["row-later"], on: "later", of: machines + [carl])
    for row in ["row-before", "row-offline-0", "row-offline-1"] {
      for machine in machines + [carl] { try await waitForContent(of: row, on: machine) }
    }
  }
}
