import DragboardClient
import LinkModel
import LinkReplica
import LinkState
import SQLite
import Testing

/// Real daemons, each on its own bus, with links to a server in memory.
@Suite(.serialized)
struct ReplicaLoopTests {
  let server = MemoryServer()

  private func machines(_ count: Int) async throws -> [Machine] {
    var machines: [Machine] = []
    for _ in 0..<count {
      let machine = try await Machine(server)
      try machine.startLink()
      machines.append(machine)
    }
    return machines
  }

  /// Checks that all machines show the same rows.
  private func expectEqual(
    _ machines: [Machine], sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let first = try await content(of: machines[0])
    for machine in machines.dropFirst() {
      let difference = try await content(of: machine).difference(from: first)
      #expect(Array(difference).isEmpty, sourceLocation: sourceLocation)
    }
  }

  /// Returns everything about the rows that machines share.
  private func content(of machine: Machine) async throws -> [String] {
    var lines: [String] = []
    for (index, name) in try await machine.board.info().sections.enumerated() {
      lines.append("[\(name)]")
      guard try await machine.board.snapshot().sections[index].items.count > 0 else { continue }
      for row in try await machine.board.page(ofSection: index, count: 10_000).rows {
        lines.append(
          "\(row.preview) \(row.isEditable) \(row.isMovable) \(row.isPinned) \(row.created) \(row.attributes)"
        )
        for type in row.types {
          let bytes = try await machine.board.file(of: row.id, as: type).bytes()
          lines.append("\(type) \(ContentHash(of: bytes).bytes)")
        }
      }
    }
    return lines
  }

  @Test
  func rowsAppearOnEveryMachine() async throws {
    let machines = try await machines(3)
    try await machines[0].insert("one", "two", "three")
    try await untilQuiet(machines)
    #expect(try await machines[2].texts() == ["main": ["one", "two", "three"]])
    try await machines[1].insert("begin", at: 0)
    try await machines[2].insert("end")
    try await untilQuiet(machines)
    #expect(try await machines[0].texts()["main"]?.first == "begin")
    try await expectEqual(machines)
  }

  @Test
  func rowsOfAllMachinesAreMerged() async throws {
    let machines = [try await Machine(server), try await Machine(server)]
    try await machines[0].insert("a", "b")
    try await machines[1].insert("c")
    for machine in machines { try machine.startLink() }
    try await untilQuiet(machines)
    try await expectEqual(machines)
    #expect(try await Set(machines[0].texts()["main"] ?? []) == ["a", "b", "c"])
  }

  @Test
  func editsOfEveryKindArrive() async throws {
    let machines = try await machines(2)
    let board = machines[0].board
    let ids = try await machines[0].insert("a", "b", "c", "d")
    let large = [UInt8](repeating: 7, count: 300_000)
    try await board.insert(
      [
        (type: ContentType("text/html"), content: .data(Array("<b>x</b>".utf8))),
        (type: ContentType("image/png"), content: .data(large)),
        (type: ContentType("text/plain;charset=utf-8"), content: .data(Array("x".utf8))),
      ],
      attributes: ItemAttributes(
        name: "x.html", modified: .seconds(1_000), application: "org.example.Editor"))
    try await untilQuiet(machines)
    try await expectEqual(machines)
    try await board.sections.insert(named: "later")
    try await board.move([ids[0], ids[2]], toSection: 1)
    try await board.setText(of: ids[1], to: String(repeating: "long ", count: 50_000))
    try await board.setName(of: ids[1], to: "b.txt")
    try await board.stack([ids[0], ids[2]], as: "stack", inSection: 1)
    try await board.setPinned(true, of: ids[0])
    try await board.setMovable(false, of: ids[2])
    try await board.setEditable(false, of: ids[3])
    try await board.move(from: RowPosition(section: 0, row: 2), to: RowPosition(section: 0, row: 0))
    try await untilQuiet(machines)
    try await expectEqual(machines)
    try await board.sections.rename(at: 1, to: "soon")
    try await board.sections.move(from: 1, to: 0)
    try await board.delete([ids[1]])
    try await untilQuiet(machines)
    try await expectEqual(machines)
    #expect(try await machines[1].board.info().sections == ["soon", "main"])
    // The machine that has locked the row can still change and delete it.
    try await board.setEditable(true, of: ids[3])
    try await board.sections.delete(at: 1)
    try await untilQuiet(machines)
    try await expectEqual(machines)
    #expect(try await machines[1].texts() == ["soon": ["a", "c"]])
  }

  @Test
  func offlineEditsAreMerged() async throws {
    let machines = try await machines(2)
    try await machines[0].insert("a", "b", "c")
    try await untilQuiet(machines)
    await server.setOnline(false)
    let doomed = try await machines[0].row("b").row.id
    try await machines[0].board.delete([doomed])
    try await machines[0].insert("between", at: 1)
    try await machines[1].board.setText(of: machines[1].row("b").row.id, to: "B")
    try await machines[1].board.setText(of: machines[1].row("a").row.id, to: "A")
    try await machines[1].insert("end")
    for (machine, pending) in zip(machines, [2, 3]) {
      try await until { await machine.loop?.status.pending == pending }
    }
    await server.setOnline(true)
    try await untilQuiet(machines)
    try await expectEqual(machines)
    #expect(try await machines[0].texts()["main"] == ["A", "between", "c", "end"])
    let dropped = await machines[1].loop?.status.droppedCount
    // If the deletion came first, the text of the deleted row is dropped.
    let edits = try await server.entries.flatMap { try EditBatch(bytes: $0.batch).edits }
    let deletion = edits.firstIndex { if case .delete = $0 { true } else { false } }
    let text = edits.firstIndex { if case .setContents = $0 { true } else { false } }
    #expect(dropped == (try #require(text) < #require(deletion) ? 0 : 1))
  }

  @Test
  func undoAffectsOnlyOwnEdits() async throws {
    let machines = try await machines(2)
    let ids = try await machines[0].insert("a", "b", "c", "d")
    try await untilQuiet(machines)
    try await machines[0].board.delete([ids[1]])
    try await machines[0].board.move([ids[3]], toSection: 0, row: 0)
    try await untilQuiet(machines)
    #expect(try await machines[1].texts()["main"] == ["d", "a", "c"])
    try await machines[1].insert("new", at: 0)
    try await machines[1].board.delete([machines[1].row("c").row.id])
    try await untilQuiet(machines)
    #expect(try await machines[0].texts()["main"] == ["new", "d", "a"])
    try await machines[0].board.history.undo()
    try await untilQuiet(machines)
    #expect(try await machines[1].texts()["main"] == ["new", "a", "d"])
    try await machines[0].board.history.undo()
    try await untilQuiet(machines)
    #expect(try await machines[1].texts()["main"] == ["new", "a", "b", "d"])
    try await machines[0].board.history.redo()
    try await untilQuiet(machines)
    #expect(try await machines[1].texts()["main"] == ["new", "a", "d"])
    try await machines[1].board.history.undo()
    try await untilQuiet(machines)
    try await expectEqual(machines)
    #expect(try await machines[0].texts()["main"] == ["new", "a", "c", "d"])
    await #expect(throws: DragboardError.self) {
      for _ in 0..<3 { try await machines[1].board.history.undo() }
    }
    try await untilQuiet(machines)
    try await expectEqual(machines)
  }

  @Test
  func aRestartedLinkContinues() async throws {
    let machines = try await machines(2)
    try await machines[0].insert("a")
    try await untilQuiet(machines)
    await machines[0].stopLink()
    try await machines[0].insert("b")
    try await machines[1].insert("c")
    try await machines[0].board.delete([machines[0].row("a").row.id])
    try machines[0].startLink()
    try await untilQuiet(machines)
    try await expectEqual(machines)
    #expect(try await Set(machines[0].texts()["main"] ?? []) == ["b", "c"])
  }

  @Test
  func theLinkContinuesAfterAKillOfTheDaemon() async throws {
    let machines = try await machines(2)
    try await machines[0].insert("a")
    try await untilQuiet(machines)
    for round in 0..<5 {
      async let inserted: Void = {
        for number in 0..<20 { try await machines[1].insert("\(round).\(number)") }
      }()
      try await Task.sleep(for: .milliseconds(20 * round))
      machines[0].killDaemon()
      try machines[0].startDaemon()
      try await machines[0].insert("own \(round)")
      try await inserted
    }
    try await untilQuiet(machines)
    try await expectEqual(machines)
    #expect(try await machines[0].texts()["main"]?.count == 106)
  }

  @Test
  func renamesOfLargeRowsAreSplit() async throws {
    let machines = try await machines(2)
    let board = machines[0].board
    // A new name makes the daemon rewrite the contents of these rows: 36 MB, but one edit can
    // rewrite at most 32 MiB.
    let text = [UInt8](repeating: 7, count: 60_000)
    var ids: [ItemID] = []
    for _ in 0..<600 { ids.append(try await board.insert(text, as: ContentType("image/png"))) }
    try await untilQuiet(machines, 120)
    await server.setOnline(false)
    for (number, id) in ids.enumerated() { try await board.setName(of: id, to: "\(number).png") }
    try await until { await machines[0].loop?.status.pending == 600 }
    await server.setOnline(true)
    try await untilQuiet(machines, 120)
    let names = try await machines[1].board.page(count: 10_000).rows.map(\.attributes.name)
    #expect(names == (0..<600).map { "\($0).png" })
  }

  @Test
  func aLostContentIsStoredAgainByItsMachine() async throws {
    let machines = [try await Machine(server), try await Machine(server)]
    try machines[0].startLink()
    let bytes = [UInt8](repeating: 7, count: 100_000)
    try await machines[0].board.insert(bytes, as: ContentType("image/png"))
    try await until { await server.entries.count == 1 }
    try await untilQuiet([machines[0]])
    await server.remove(ContentHash(of: bytes))
    #expect(try machines[0].keptContents == [ContentHash(of: bytes).description])
    try machines[1].startLink()
    try await until { await machines[1].loop?.status.arriving == 1 }
    await machines[0].stopLink()
    try machines[0].startLink(confirmationDelay: .seconds(1))
    try await untilQuiet(machines)
    try await expectEqual(machines)
    #expect(await machines[1].loop?.status.arriving == 0)
    try await until { try machines[0].keptContents == [] }
  }

  @Test
  func aRowWithoutItsContentWaitsAloneUntilAnotherMachineStoresTheContent() async throws {
    let machines = [
      try await Machine(server), try await Machine(server), try await Machine(server),
    ]
    for machine in machines[..<2] { try machine.startLink(confirmationDelay: .seconds(1)) }
    let bytes = [UInt8](repeating: 7, count: 100_000)
    let id = try await machines[0].board.insert(bytes, as: ContentType("image/png"))
    try await machines[0].insert("first")
    try await untilQuiet(Array(machines[..<2]))
    try await until { try machines[0].keptContents == [] }
    // The machine that has made the edit is away, and the other one as well at first.
    for machine in machines[..<2] { await machine.stopLink() }
    await server.remove(ContentHash(of: bytes))
    try machines[2].startLink()
    try await until { await machines[2].loop?.status.arriving == 1 }
    #expect(try await machines[2].texts()["main"] == ["first"])
    try await machines[2].insert("own", at: 0)
    try await until { await machines[2].loop?.status.pending == 0 }
    // A restart does not forget the row.
    await machines[2].stopLink()
    try machines[2].startLink()
    try await until { await machines[2].loop?.status.arriving == 1 }
    try machines[1].startLink()
    try await machines[1].insert("more")
    try await untilQuiet(Array(machines[1...]))
    try await expectEqual(Array(machines[1...]))
    #expect(await machines[2].loop?.status.arriving == 0)
    try machines[0].startLink()
    try await machines[0].board.setName(of: id, to: "x.png")
    try await untilQuiet(machines)
    try await expectEqual(machines)
  }

  @Test
  func anEditDoesNotWaitForAContent() async throws {
    let machines = try await machines(2)
    await server.setAcceptsContents(false)
    let bytes = (0..<3 << 20).map { UInt8(truncatingIfNeeded: $0 >> 8) }
    let id = try await machines[0].board.insert(bytes, as: ContentType("image/png"))
    try await machines[0].insert("later")
    try await until { try await machines[1].texts()["main"] == ["later"] }
    try await until { await machines[1].loop?.status.arriving == 1 }
    #expect(await machines[0].loop?.status.unstored == 1)
    try await machines[1].insert("reply")
    try await until { try await machines[0].texts()["main"]?.contains("reply") == true }
    await server.setAcceptsContents(true)
    try await untilQuiet(machines)
    try await expectEqual(machines)
    #expect(try await machines[0].board.data(of: id) == bytes)
    try await until { await machines[0].loop?.status.unstored == 0 }
  }

  @Test
  func aBatchThatTheServerRefusesIsCutAgain() async throws {
    let machines = try await machines(2)
    try await machines[0].insert("common")
    try await untilQuiet(machines)
    await server.setMaxBytes(2_000)
    try await machines[0].board.insert((0..<100).map { "row \($0)" })
    try await untilQuiet(machines)
    #expect(try await machines[1].texts()["main"]?.count == 101)
    // A row that no batch can contain blocks later edits until it is deleted.
    let large = try await machines[0].insert(String(repeating: "large", count: 200))
    await server.setMaxBytes(500)
    let second = try await machines[0].insert(String(repeating: "other", count: 200))
    try await machines[0].insert("later")
    try await until { await machines[0].loop?.status.logError != nil }
    try await machines[0].board.delete(large + second)
    try await untilQuiet(machines)
    #expect(try await machines[1].texts()["main"]?.count(where: { $0 == "later" }) == 1)
    try await expectEqual(machines)
    #expect(await machines[0].loop?.status.logError == nil)
  }

  @Test
  func aBatchWithoutEditsThatTheServerRefusesIsNotSentAgainAtOnce() async throws {
    let machines = [try await Machine(server), try await Machine(server)]
    let bert = machines[1]
    try machines[0].startLink()
    await server.setAcceptsContents(false)
    try await machines[0].insert(String(repeating: "large", count: 1_000))
    try await until { await server.entries.count == 1 }
    // The disk of the server is full when the other machine asks for the content.
    await server.setMaxBytes(0)
    try bert.startLink(delays: .milliseconds(10)...(.seconds(3_600)))
    try await until { await server.refusalCount > 0 }
    for number in 1...20 {
      try await bert.insert("row \(number)")
      try await until { await bert.loop?.status.pending == number }
    }
    #expect(await server.refusalCount == 1)
    #expect(await bert.loop?.status.logError != nil)
  }

  @Test
  func aFullDiskIsReportedAndTheLinkContinuesAfterwards() async throws {
    let machines = try await machines(2)
    try await machines[0].insert("first")
    try await untilQuiet(machines)
    let state = try #require(machines[0].state)
    let pages = try state.read { try $0.first("PRAGMA page_count") { $0.integer(0) } } ?? 0
    try state.read { try $0.run("PRAGMA max_page_count = \(pages)") }
    try await machines[0].board.insert((0..<2_000).map { "row \($0) of many" })
    try await until {
      await machines[0].loop?.status.daemonError?.contains("disk: no space") == true
    }
    try state.read { try $0.run("PRAGMA max_page_count = 1000000") }
    try await untilQuiet(machines)
    try await expectEqual(machines)
    #expect(await machines[0].loop?.status.daemonError == nil)
  }

  @Test
  func aDeletedRowNeedsNoContent() async throws {
    let machines = [try await Machine(server), try await Machine(server)]
    try machines[0].startLink(confirmationDelay: .seconds(1))
    let bytes = [UInt8](repeating: 7, count: 100_000)
    let id = try await machines[0].board.insert(bytes, as: ContentType("image/png"))
    try await until { await server.entries.count == 1 }
    try await untilQuiet([machines[0]])
    try await until { try machines[0].keptContents == [] }
    await server.remove(ContentHash(of: bytes))
    // No machine has the content any more.
    await machines[0].stopLink()
    try machines[1].startLink()
    try await until { await machines[1].loop?.status.arriving == 1 }
    try await machines[0].board.delete([id])
    try await machines[0].insert("next")
    try machines[0].startLink(confirmationDelay: .seconds(1))
    try await untilQuiet(machines)
    #expect(try await machines[1].texts()["main"] == ["next"])
    // Undo restores the row with its content.
    try await machines[0].board.history.undo()
    try await machines[0].board.history.undo()
    try await untilQuiet(machines)
    try await expectEqual(machines)
    #expect(try await machines[1].board.snapshot().sections[0].items.count == 1)
  }

  @Test
  func aLostAnswerAppendsNothingTwice() async throws {
    let machines = try await machines(2)
    await server.loseNextAnswer()
    try await machines[0].insert("a")
    try await untilQuiet(machines)
    #expect(try await machines[1].texts()["main"] == ["a"])
    #expect(await server.entries.count == 1)
  }
}
