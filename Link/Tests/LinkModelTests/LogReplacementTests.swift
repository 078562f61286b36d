import BoardModel
import TestSupport
import Testing

@testable import LinkModel

/// Logs that a machine replaces by a snapshot while other machines are offline.
struct LogReplacementTests {
  private let chance = Chance(seed: 0)
  private let store = MemoryContents()
  private let log: MemoryLog

  init() { log = MemoryLog(chance) }

  private func machines(_ count: Int) async throws -> [Machine] {
    await chance.stopFaults()
    let machines = (0..<count).map { Machine($0, seed: 1, chance, log, store) }
    for (number, text) in ["one", "two", "three"].enumerated() {
      await machines[0].board.add(text, created: UInt64(number))
    }
    try await machines.settle()
    return machines
  }

  /// Replaces the log and removes the log before it.
  private func replace(by machine: Machine, _ online: [Machine]) async throws {
    try await machine.replaceLog()
    try await online.settle()
    try await machine.removeEarlierLogs()
    #expect(await log.present.count == 1)
  }

  private func delete(_ text: String, on machine: Machine) async throws {
    let index = try #require(await machine.board.texts().firstIndex(of: text))
    await machine.board.make(.delete(await machine.board.sections[0].items[index]))
  }

  @Test("An offline machine with pending edits joins after two replacements")
  func offline() async throws {
    let machines = try await machines(3)
    let (anna, online) = (machines[0], Array(machines[1...]))
    let items = await anna.board.sections[0].items
    await anna.board.add("offline", created: 9)
    await anna.board.make(
      .move(items[2], to: IndexPath(section: 0, row: 0)), .setName(items[1], "named"),
      .setName(items[0], "gone"))
    try await anna.pull()
    for (number, text) in ["four", "five"].enumerated() {
      await machines[1].board.add(text, created: 10 + UInt64(number))
      try await online.settle()
      try await replace(by: machines[1 + number], online)
    }
    try await delete("one", on: machines[2])
    try await online.settle()
    let texts = try await machines.settle()
    #expect(texts[0] == texts[1] && texts[1] == texts[2])
    #expect(texts[0] == ["three", "two", "offline", "four", "five"])
    for machine in machines {
      #expect(await machine.board.rows.values.map(\.name).filter { !$0.isEmpty } == ["named"])
    }
    let dropped = try await anna.started().replica.dropped
    #expect(dropped.map(\.title) == ["one"] && dropped.map(\.reason) == [.rowGone])
    #expect(await log.replacements == 2)
  }

  @Test("Edits whose acknowledgement was lost come once, and deleted rows do not return")
  func lostAnswer() async throws {
    let machines = try await machines(2)
    let (anna, bert) = (machines[0], machines[1])
    await anna.board.add("sent", "deleted", created: 9)
    try await anna.pull()
    let batch = try #require(try await anna.started().nextBatch())
    _ = try await anna.started().send(batch)
    await anna.board.add("later", created: 10)
    try await anna.pull()
    anna.crash()
    try await [bert].settle()
    try await delete("deleted", on: bert)
    try await [bert].settle()
    try await replace(by: bert, [bert])
    let texts = try await machines.settle()
    #expect(texts[0] == texts[1])
    #expect(texts[0] == ["one", "two", "three", "sent", "later"])
    #expect(try await anna.started().replica.renewals == 0)
  }

  @Test(
    "A restored home takes a new key, and doubles or restores no row", arguments: [false, true])
  func restoredHome(isSent: Bool) async throws {
    let machines = try await machines(2)
    let (anna, bert) = (machines[0], machines[1])
    await anna.board.add("pending", "deleted", created: 9)
    try await anna.pull()
    let backup = await anna.backup()
    try await machines.settle()
    try await delete("deleted", on: bert)
    if isSent { await anna.board.add("after", created: 11) }
    try await machines.settle()
    try await replace(by: bert, machines)
    await anna.restore(backup)
    await anna.board.add("new", created: 12)
    let texts = try await machines.settle()
    #expect(texts[0] == texts[1])
    #expect(
      texts[0].sorted()
        == (["one", "two", "three", "pending", "new"] + (isSent ? ["after"] : [])).sorted())
    #expect(try await anna.started().replica.renewals == (isSent ? 1 : 0))
  }

  @Test("After a replacement, the rollback of a daemon restores no deleted row and no old content")
  func restoredDaemon() async throws {
    let machines = try await machines(2)
    let (anna, bert) = (machines[0], machines[1])
    let backup = await anna.backup()
    try await delete("one", on: bert)
    let text = SharedRow.Representation(
      type: "text/plain;charset=utf-8", content: .inline(Array("TWO".utf8)))
    await bert.board.make(.setContents(await bert.board.sections[0].items[0], [text]))
    try await machines.settle()
    try await replace(by: bert, machines)
    try await replace(by: anna, machines)
    await anna.restoreDaemon(backup)
    await anna.board.add("new", created: 12)
    try await anna.started().verifyBoard()
    let texts = try await machines.settle()
    #expect(texts[0] == texts[1])
    #expect(texts[0].sorted() == ["TWO", "new", "three"])
  }

  /// Makes a step of a link that was stopped before.
  private func whileStopped(_ step: @Sendable @escaping () async throws -> Void) async {
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      try await step()
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test("A link that is stopped while it reads the log takes no part of the log for the board")
  func stoppedReading() async throws {
    let machines = try await machines(2)
    let anna = try await machines[0].started()
    await whileStopped { try await anna.replaceLog(.init(bytes: 0, entries: 1, factor: 0)) }
    #expect(await anna.replica.rebuilt == 0)
    // The rows of the log are no new rows of the restored daemon.
    let backup = await machines[0].backup()
    try await delete("one", on: machines[1])
    try await machines.settle()
    await machines[0].restoreDaemon(backup)
    let restored = try await machines[0].started()
    await whileStopped { try await restored.pull() }
    machines[0].crash()
    #expect(try await machines.settle() == [["two", "three"], ["two", "three"]])
  }

  @Test("A link that is stopped after another entry has come first does not assume its own one")
  func stoppedAppending() async throws {
    let machines = try await machines(2)
    let anna = try await machines[0].started()
    await log.cancelNext()
    let task = Task { try await anna.replaceLog(.init(bytes: 0, entries: 1, factor: 0)) }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(await anna.replica.successor == nil)
    machines[0].crash()
    await machines[1].board.add("four", created: 4)
    let texts = try await machines.settle()
    #expect(texts[0] == ["one", "two", "three", "four"] && texts[1] == texts[0])
  }

  @Test("A log that was not finished is never used, and the next replacement removes it")
  func unfinished() async throws {
    let machines = try await machines(2)
    var generator = SystemRandomNumberGenerator()
    let id = LogID.successor(of: nil, board: log.board, using: &generator)
    let bytes = LogSnapshot(SharedBoard(), batches: [:], history: []).bytes
    _ = try await log.makeLog(id).append(LogRecord.parts(of: bytes)[0], after: 0)
    #expect(try await log.latest(after: nil) == nil)
    await machines[1].board.add("four", created: 4)
    try await machines.settle()
    try await replace(by: machines[1], machines)
    #expect(await log.present.contains(id) == false)
    #expect(
      try await machines.settle() == [
        ["one", "two", "three", "four"], ["one", "two", "three", "four"],
      ])
  }

  @Test("Earlier logs remain until the later log has a batch, so that an offline machine finds it")
  func unused() async throws {
    let machines = try await machines(2)
    let (anna, bert) = (machines[0], machines[1])
    await anna.board.add("offline", created: 9)
    try await anna.pull()
    try await bert.replaceLog()
    try await bert.receive()
    // The removal of a machine writes an empty entry with the new key.
    let replica = try await bert.started().replica
    _ = try await log.log(replica.log).append([], after: replica.position)
    try await bert.receive()
    #expect(try await bert.started().removeEarlierLogs() == false)
    try await [bert].settle()
    #expect(try await bert.started().removeEarlierLogs())
    #expect(
      try await machines.settle() == Array(repeating: ["one", "two", "three", "offline"], count: 2))
  }

  @Test("A later log without edits that this machine has read is an error, and nothing changes")
  func otherHistory() async throws {
    let machines = try await machines(3)
    let (anna, bert) = (machines[0], machines[1])
    await anna.board.add("four", created: 4)
    try await anna.cycle()
    try await machines[2].cycle()
    // The server loses the last entry, and a machine that has not read it continues.
    try await anna.receive()
    await log.loseLast()
    await bert.board.add("five", created: 5)
    try await [bert].settle()
    try await bert.replaceLog()
    try await [bert].settle()
    try await bert.removeEarlierLogs()
    for machine in [anna, machines[2]] {
      await #expect(throws: ReplicatorError.otherHistory) { try await machine.receive() }
      #expect(await machine.board.texts() == ["one", "two", "three", "four"])
    }
  }

  @Test("A machine does not replace a short log")
  func limits() async throws {
    let machines = try await machines(1)
    for _ in 0..<10 {
      await machines[0].board.add("text")
      try await machines.settle()
    }
    let link = try await machines[0].started()
    #expect(try await link.replaceLog(.init(bytes: 1 << 20, entries: 1, factor: 0)) == false)
    #expect(try await link.replaceLog(.init(bytes: 0, entries: 100, factor: 0)) == false)
    #expect(try await link.replaceLog(.init(bytes: 0, entries: 1, factor: 1_000)) == false)
    #expect(try await link.replaceLog(.init(bytes: 0, entries: 10, factor: 1)))
  }

  @Test("The id of a later log shows its board and its generation")
  func ids() {
    var generator = SplitMix64(seed: 1)
    let (board, other) = (LogID.random(using: &generator), LogID.random(using: &generator))
    var log: LogID?
    for generation in 1...300 as ClosedRange<UInt64> {
      let next = LogID.successor(of: log, board: board, using: &generator)
      #expect(next.generation(in: board) == generation && next.generation(in: other) == nil)
      log = next
    }
    #expect(board.generation(in: board) == 0 && other.generation(in: board) == nil)
  }
}
