import DragboardClient
import Foundation
import LinkModel
import LinkReplica
import Testing

/// The merge of thousands of edits that two machines have made offline.
struct MergeTests {
  /// The number of edits of both machines: 4,000, or the value of `DRAGBOARD_TEST_EDITS`.
  static let count =
    ProcessInfo.processInfo.environment["DRAGBOARD_TEST_EDITS"].flatMap(Int.init) ?? 4_000

  @Test
  func offlineEditsAreMergedInTime() async throws {
    let server = MemoryServer()
    let machines = [try await Machine(server), try await Machine(server)]
    for machine in machines { try machine.startLink() }
    try await machines[0].board.insert((0..<100).map { "common \($0)" })
    try await untilQuiet(machines)
    await server.setOnline(false)
    for (number, machine) in machines.enumerated() { try await edit(machine, number) }
    let clock = ContinuousClock()
    let start = clock.now
    await server.setOnline(true)
    try await untilQuiet(machines, 300)
    let duration = clock.now - start
    print("\(Self.count) edits were merged in \(duration)")
    let (first, second) = (try await machines[0].rows(), try await machines[1].rows())
    #expect(first == second)
    #expect(first.count == 100 + Self.count * 8 / 10)
    #expect(duration < .seconds(60))
  }

  /// Makes half of the edits: insertions of one row each, moves, deletions, changes of texts and of
  /// pins.
  private func edit(_ machine: Machine, _ number: Int) async throws {
    let board = machine.board
    var rows: [ItemID] = []
    for round in 0..<Self.count / 20 {
      for index in 0..<8 {
        let text = "\(number).\(round).\(index) and a text of the usual length of a line"
        rows += try await board.insert([text], at: round % 100)
      }
      try await board.move([rows[rows.count - 3]], toSection: 0, row: 50)
      try await board.setText(of: rows[rows.count - 2], to: "changed \(number).\(round)")
    }
  }
}

extension Machine {
  /// Returns the previews of all rows of the first section.
  func rows() async throws -> [String] {
    var rows: [String] = []
    while true {
      let page = try await board.page(from: rows.count, count: 10_000).rows
      rows += page.map { "\($0.preview) \($0.created)" }
      if try await board.snapshot().sections[0].items.count == rows.count { return rows }
    }
  }
}
