import BoardModel
import LinkModel
import Testing

/// Sections that exchange their names, or are removed and added again.
///
/// No section ever has a temporary name in the log.
struct SectionNameTests {
  private let chance = Chance(seed: 0)

  private func machines(_ log: MemoryLog) async -> [Machine] {
    await chance.stopFaults()
    let store = MemoryContents()
    return (0..<2).map { Machine($0, seed: 1, chance, log, store) }
  }

  private func names(_ machine: Machine) async -> [String] {
    await machine.board.sections.map(\.name)
  }

  @Test("A section is removed and added again while another machine adds a row to it")
  func addedAgain() async throws {
    let log = MemoryLog(chance)
    let machines = await machines(log)
    let (anna, bert) = (machines[0], machines[1])
    await anna.board.make(.insertSection("later", at: 1))
    await anna.board.add("old", inSection: 1)
    try await machines.settle()
    await bert.board.add("new", inSection: 1)
    let items = await anna.board.sections[1].items
    await anna.board.make(.delete(items[0]), .deleteSection(at: 1))
    await anna.board.make(.insertSection("later", at: 0))
    await anna.board.add("again", inSection: 0)
    try await bert.pull()
    _ = try await bert.started().publish()
    try await machines.settle()
    for machine in machines {
      #expect(await names(machine) == ["later", "main"])
      #expect(await machine.board.texts(inSection: 0).sorted() == ["again", "new"])
    }
  }

  @Test("Two sections exchange their names while another machine renames one of them")
  func exchanged() async throws {
    let log = MemoryLog(chance)
    let machines = await machines(log)
    let (anna, bert) = (machines[0], machines[1])
    await anna.board.make(.insertSection("a", at: 1), .insertSection("b", at: 2))
    await anna.board.add("in a", inSection: 1)
    await anna.board.add("in b", inSection: 2)
    try await machines.settle()
    await anna.board.make(.renameSection(to: "x", at: 1))
    await anna.board.make(.renameSection(to: "a", at: 2), .renameSection(to: "b", at: 1))
    await bert.board.make(.renameSection(to: "c", at: 1))
    try await bert.pull()
    _ = try await bert.started().publish()
    try await machines.settle()
    let (first, second) = (await names(anna), await names(bert))
    #expect(first == second)
    #expect(first.allSatisfy { !$0.hasPrefix("-") })
    #expect(Set(first).isSubset(of: ["main", "a", "b", "c"]))
    for machine in machines {
      var texts: [String] = []
      for index in await machine.board.sections.indices {
        texts += await machine.board.texts(inSection: index)
      }
      #expect(texts.sorted() == ["in a", "in b"])
    }
  }
}
