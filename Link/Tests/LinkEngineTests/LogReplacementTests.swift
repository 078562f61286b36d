import DragboardClient
import Foundation
import LinkState
import TestSupport
import Testing

@testable import LinkEngine
@testable import LinkModel

@Suite("Logs that are replaced on a server")
struct LogReplacementTests {
  private static let always = Replicator.Limits(bytes: 0, entries: 1, factor: 0)

  private let server: TestServer
  private let keys = GroupKeys.random()
  private let board = LogID.random()

  init() async throws { server = try await TestServer() }

  private func machine(anchors: [LogID: ChainHead] = [:]) async throws -> ReplicaMachine {
    try await ReplicaMachine(server, keys: keys, board: board, anchors: anchors)
  }

  /// Three machines whose board has three rows.
  private func machines() async throws -> [ReplicaMachine] {
    var machines: [ReplicaMachine] = []
    for _ in 0..<3 { machines.append(try await machine()) }
    for text in ["one", "two", "three"] { try await machines[0].add(text) }
    try await machines.settle()
    return machines
  }

  private func replace(by machine: ReplicaMachine, _ online: [ReplicaMachine]) async throws {
    #expect(try await machine.link.replaceLog(Self.always))
    try await online.settle()
    #expect(try await machine.link.removeEarlierLogs())
  }

  @Test("Three machines, one of them offline with pending edits, live through two replacements")
  func offline() async throws {
    let machines = try await machines()
    let (anna, online) = (machines[0], Array(machines[1...]))
    try await anna.add("pending")
    for number in 0..<2 {
      try await machines[1].add("while offline \(number)")
      try await online.settle()
      try await replace(by: machines[1 + number], online)
    }
    // Only the last entry of the first log and the latest log remain.
    #expect(try anna.stored().logs == 2)
    try anna.restart()
    let texts = try await machines.settle()
    #expect(texts[0] == texts[1] && texts[1] == texts[2])
    #expect(
      texts[0].sorted()
        == ["one", "pending", "three", "two", "while offline 0", "while offline 1"])
    let new = try await machine()
    try await new.add("new")
    let all = try await (machines + [new]).settle()
    #expect(all.allSatisfy { $0 == all[0] } && all[0].count == 7)
  }

  @Test(
    "A machine is killed between two steps, and nothing is lost", arguments: 1...2, [false, true])
  func kills(append: Int, isAfter: Bool) async throws {
    let machines = try await machines()
    let (anna, bert) = (machines[0], machines[1])
    try anna.restart(KilledLogs(logs: anna.logs, append: append, isAfter: isAfter))
    await #expect(throws: KilledLogs.Kill.self) {
      try await anna.link.replaceLog(Self.always)
    }
    try await bert.add("four")
    try await machines[1...].map(\.self).settle()
    try anna.restart()
    var texts = try await machines.settle()
    #expect(texts.allSatisfy { $0 == texts[0] } && texts[0].count == 4)
    try await replace(by: bert, machines)
    #expect(try anna.stored().logs == 2)
    try await machines[2].add("five")
    texts = try await machines.settle()
    #expect(texts.allSatisfy { $0 == texts[0] } && texts[0].count == 5)
  }

  @Test("Several machines replace a log at once, and one of them succeeds")
  func race() async throws {
    let machines = try await machines()
    let (links, limits) = (machines.map(\.link), Self.always)
    await withTaskGroup(of: Void.self) { tasks in
      for link in links { tasks.addTask { _ = try? await link.replaceLog(limits) } }
    }
    for (machine, text) in zip(machines, ["a", "bb", "ccc"]) { try await machine.add(text) }
    let texts = try await machines.settle()
    #expect(texts.allSatisfy { $0 == texts[0] } && texts[0].count == 6)
    var logs: Set<LogID?> = []
    for machine in machines { logs.insert(await machine.link.replica.log) }
    #expect(logs.count == 1 && logs != [nil])
  }

  @Test("A program of the earlier version stops, and does not restore the log")
  func earlierVersion() async throws {
    let machines = try await machines()
    let old = machines[2].machine
    let entries = try old.state.logs.count
    try await machines[1].add("four")
    try await machines[1].exchange()
    try await replace(by: machines[1], Array(machines[..<2]))
    // Without its place, a log works as in the earlier version.
    let log = try old.log(board)
    let seen = try log.head.number
    #expect(try await log.lastNumber() > seen)
    #expect(try await old.readUntilError(after: seen, of: board).error == .missingEntry(seen + 1))
    #expect(try old.state.logs.count == entries)
  }

  @Test("A removed machine cannot make a log that a machine of the group uses")
  func removedMachine() async throws {
    let machines = try await machines()
    let removed = GroupKeys(id: keys.id, nameKey: keys.nameKey, keys: keys.all)
    keys.add(.random(epoch: 2))
    try await replace(by: machines[1], Array(machines[1...]))
    let liar = try await ReplicaMachine(server, keys: removed, board: board)
    var (id, generator): (LogID?, SystemRandomNumberGenerator) = (nil, .init())
    for _ in 0..<9 { id = .successor(of: id, board: board, using: &generator) }
    let forged = try liar.logs.makeLog(try #require(id))
    let snapshot = LogSnapshot(SharedBoard(), batches: [:], history: [])
    _ = try await forged.append(LogRecord.parts(of: snapshot.bytes)[0], after: 0)
    let batch = EditBatch(machine: MachineKey(1, 1), number: 1, edits: [])
    _ = try await forged.append(batch.bytes, after: 1)
    let texts = try await machines.settle()
    #expect(texts == Array(repeating: ["one", "two", "three"], count: 3))
    #expect(await machines[0].link.replica.log == machines[1].link.replica.log)
    // A machine that has not read the removal yet decides nothing.
    let late = JetStreamBoardLogs(
      of: board, removed, on: liar.machine.connection, in: liar.machine.state,
      hasAllKeys: { false })
    await #expect(throws: LogReplaced.self) { try await late.latest(after: nil) }
  }

  @Test("A server that shows an earlier log to an invited machine is reported")
  func anchor() async throws {
    let machines = try await machines()
    try await replace(by: machines[1], Array(machines[1...]))
    let current = try await machines[1].logs.current()
    let anchors = [current.id: try current.head]
    let new = try await machine(anchors: anchors)
    try await new.exchange()
    #expect(await new.texts == ["one", "two", "three"])
    let head = try current.head
    try LyingServer(current).stream.delete()
    let deceived = try await machine(anchors: anchors)
    await #expect(throws: LinkError.olderLog(seen: head.number, last: 0)) {
      try await deceived.exchange()
    }
    // A machine that has the log restores it.
    try await machines[1].add("four")
    try await machines[1].exchange()
    try await deceived.exchange()
    #expect(await deceived.texts.count == 4)
  }

  @Test("If a power cut loses the last entry of the earlier log, a machine restores it")
  func powerCut() async throws {
    let machines = try await machines()
    let first = LyingServer(try machines[1].logs.open(board))
    let entries = try first.entries()
    #expect(try await machines[1].link.replaceLog(Self.always))
    try await machines[1].exchange()
    try first.replace(with: entries)
    // Whenever a machine asks for the later log, it restores the entry that names it.
    try await machines[1].add("four")
    try await machines[1].exchange()
    let texts = try await machines.settle()
    #expect(texts.allSatisfy { $0 == texts[0] } && texts[0].count == 4)
  }

  @Test("Services replace a long log, and a machine that was offline continues with its edits")
  func services() async throws {
    let (anna, bert) = try CommandMachine.pair(on: server)
    /// Returns the titles of the rows; each machine has ids of its own.
    @Sendable func rows(_ machine: CommandMachine) throws -> [Substring?] {
      try machine.run("dragboard", "list", "--board", "errands").text
        .split(separator: "\n").map { $0.split(separator: "\t").last }
    }
    for machine in [anna, bert] { try machine.startService() }
    let board = try await anna.connect().board(named: "errands")
    try await board.insert(["first"])
    try await eventually("bert has the row") { try rows(bert).count == 1 }
    bert.endService()
    try bert.run("dragboard", "add", "--board", "errands", "offline")
    let state = try anna.state()
    let row = try #require(try await board.insert(["first"]).first)
    try await eventually("a service replaces the log", seconds: 120) {
      // An edit that another one cancels before the service reads the board is not sent.
      try await board.setText(of: row, to: String(repeating: "a", count: .random(in: 500...900)))
      return try state.logs.contains { try state.successor(ofLog: $0) != nil }
    }
    try await board.delete([row])
    try await board.insert(["last"])
    try bert.startService()
    try await eventually("both machines have all rows") {
      let (one, other) = (try rows(anna), try rows(bert))
      return one == other && one.count == 3
    }
    let status = try bert.boardStatus()
    #expect(status.pending == 0 && status.dropped == 0 && status.entries == status.read)
  }

  /// The number of edits: `DRAGBOARD_TEST_LOG_EDITS` (default 1,500).
  private static let editCount =
    ProcessInfo.processInfo.environment["DRAGBOARD_TEST_LOG_EDITS"].flatMap(Int.init) ?? 1_500

  @Test("After many edits of 100 rows, the server stores at most ten times the board")
  func size() async throws {
    let machine = try await machine()
    var generator = SplitMix64(seed: 1)
    var rows: [RowKey] = []
    func text() -> String {
      "\(generator.next()) "
        + String(repeating: "text ", count: Int.random(in: 4...24, using: &generator))
    }
    for _ in 0..<100 { rows.append(try await machine.add(text())) }
    try await machine.exchange()
    var (bytes, replacements, checked): (Int, Int, UInt64) = (0, 0, 0)
    for _ in 0..<Self.editCount {
      let index = Int.random(in: 0..<100, using: &generator)
      switch Int.random(in: 0..<10, using: &generator) {
      case 0..<5: try await machine.make(.setContents(rows[index], ReplicaMachine.contents(text())))
      case 5..<8:
        let other = rows[(index + 1 + Int.random(in: 0..<99, using: &generator)) % 100]
        try await machine.make(.move(rows[index], to: .init(in: .first, after: other, before: nil)))
      default:
        try await machine.make(.delete(rows[index]))
        rows[index] = try await machine.add(text())
      }
      _ = try await machine.link.publish()
      guard await machine.link.mayReplaceLog(since: checked, .init()) else { continue }
      checked = await machine.link.replica.position
      let before = try await machine.logs.byteCount(of: machine.link.replica.log)
      guard try await machine.link.replaceLog() else { continue }
      (bytes, replacements, checked) = (bytes + before, replacements + 1, 0)
      try await machine.exchange()
      try await machine.link.removeEarlierLogs()
    }
    let board = await machine.link.replica.base.byteCount
    let stored = try machine.stored().byteCount
    print(
      "\(Self.editCount) edits: board \(board) bytes, server \(stored) bytes, without \(replacements) replacements \(bytes + stored) bytes"
    )
    #expect(stored <= 10 * board)
    #expect(replacements > 0)
    #expect(await machine.texts.count == 100)
  }
}
