import Foundation
import LinkEngine
import Testing

/// Homes that are copied or restored from backups.
@Suite("A copied or restored home")
struct CopiedHomeTests {
  private let link = "dragboard-link"

  private func rows(_ machine: CommandMachine) throws -> [String] {
    try machine.run("dragboard", "list", "--board", "errands").text
      .matches(of: /row-[a-z0-9-]+/).map { String($0.output) }
  }

  private func add(_ row: String, on machine: CommandMachine) throws {
    #expect(try machine.run("dragboard", "add", "--board", "errands", row).status == 0)
  }

  private func waitForEqualRows(
    _ machines: [CommandMachine], _ expected: Set<String>, line: Int = #line
  ) async throws {
    do {
      try await eventually("the rows of line \(line) are on all machines", seconds: 40) {
        let all = try machines.map(rows)
        return all.allSatisfy { $0 == all[0] } && Set(all[0]) == expected
          && all[0].count == expected.count
      }
    } catch {
      for machine in machines { Issue.record("\(try rows(machine))") }
      throw error
    }
  }

  @Test("A copy of a home becomes a machine of its own, and all rows of both arrive")
  func copied() async throws {
    let server = try await TestServer()
    let (anna, bert) = try CommandMachine.pair(on: server)
    try add("row-1", on: anna)
    for machine in [anna, bert] { try machine.startService() }
    try await waitForEqualRows([anna, bert], ["row-1"])
    bert.endService()
    try add("row-unsent", on: bert)
    let carl = try CommandMachine(copying: bert)
    var expected: Set = ["row-1", "row-unsent"]
    for number in 0..<10 {
      for (machine, name) in [(bert, "b"), (carl, "c")] {
        try add("row-\(name)\(number)", on: machine)
        expected.insert("row-\(name)\(number)")
      }
    }
    for machine in [bert, carl] { try machine.startService() }
    try await waitForEqualRows([anna, bert, carl], expected)
    let machines = try anna.json(link, "status", "--json")["machines"] as? [String] ?? []
    #expect(machines.count == 3 && machines[0] == "anna" && machines[1] == "bert")
    #expect(machines[2].hasPrefix("bert-"))
    let status = try carl.run(link, "status").text
    #expect(status.contains("machine  \(machines[2])\n"))
    #expect(status.contains("this home is a copy of that of bert"))
    #expect(try !bert.run(link, "status").text.contains("copy"))
    // The removal of one machine does not affect its copy.
    #expect(try anna.run(link, "remove", machines[2]).status == 0)
    try add("row-last", on: bert)
    try await waitForEqualRows([anna, bert], expected.union(["row-last"]))
  }

  @Test("A row that is added after the restoration of a home reaches the other machines")
  func restored() async throws {
    let server = try await TestServer()
    let (anna, bert) = try CommandMachine.pair(on: server)
    try add("row-1", on: anna)
    for machine in [anna, bert] { try machine.startService() }
    try await waitForEqualRows([anna, bert], ["row-1"])
    let backup = try bert.backup()
    try bert.startService()
    for number in 2...4 {
      try add("row-\(number)", on: bert)
      try await waitForEqualRows([anna, bert], Set((1...number).map { "row-\($0)" }))
    }
    try bert.restore(backup)
    #expect(try rows(bert) == ["row-1"])
    try add("row-5", on: bert)
    try bert.startService()
    try await waitForEqualRows([anna, bert], Set((1...5).map { "row-\($0)" }))
    let machines = try anna.json(link, "status", "--json")["machines"] as? [String]
    #expect(machines == ["anna", "bert"])
  }

  @Test(
    "If only the data of the daemon are restored, the log wins, and status says it",
    arguments: [false, true])
  func restoredDaemon(hasManyEdits: Bool) async throws {
    let server = try await TestServer()
    let (anna, bert) = try CommandMachine.pair(on: server)
    for number in 1...3 { try add("row-\(number)", on: anna) }
    for machine in [anna, bert] { try machine.startService() }
    try await waitForEqualRows([anna, bert], ["row-1", "row-2", "row-3"])
    let backup = try bert.backup()
    try bert.startService()
    #expect(try anna.run("dragboard", "remove", "--board", "errands", "0").status == 0)
    try add("row-4", on: anna)
    try await waitForEqualRows([anna, bert], ["row-2", "row-3", "row-4"])
    try add("row-5", on: bert)
    try await waitForEqualRows([anna, bert], ["row-2", "row-3", "row-4", "row-5"])
    try bert.restore(backup, ["data"])
    #expect(try rows(bert) == ["row-1", "row-2", "row-3"])
    if hasManyEdits {
      // The daemon reports no changes across an edit of more than 10,000 rows.
      let lines = (0...10_000).map { "\($0)\n" }.joined()
      #expect(
        try bert.run("dragboard", "add", "--board", "errands", "--lines", input: lines).status == 0)
      #expect(try bert.run("dragboard", "clear", "--board", "errands").status == 0)
    }
    try add("row-new", on: bert)
    try bert.startService()
    try await waitForEqualRows([anna, bert], ["row-2", "row-3", "row-4", "row-5", "row-new"])
    #expect(try bert.run(link, "status").text.contains("earlier copy"))
    #expect(try !anna.run(link, "status").text.contains("earlier copy"))
  }
}
