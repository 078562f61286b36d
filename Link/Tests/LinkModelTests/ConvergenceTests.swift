import BoardModel
import Foundation
import LinkModel
import TestSupport
import Testing

/// Runs of three machines with random edits, delays, lost answers and crashes.
struct ConvergenceTests {
  /// The seeds: `DRAGBOARD_TEST_SEEDS` (default 50) seeds, beginning with `DRAGBOARD_TEST_FIRST_SEED`.
  static let seeds: Range<UInt64> = {
    func number(_ name: String) -> UInt64? {
      ProcessInfo.processInfo.environment[name].flatMap(UInt64.init)
    }
    let first = number("DRAGBOARD_TEST_FIRST_SEED") ?? 0
    return first..<first + (number("DRAGBOARD_TEST_SEEDS") ?? 50)
  }()

  @Test("Every board is equal and no edit is lost", arguments: seeds)
  func everyBoardIsEqualAndNoEditIsLost(seed: UInt64) async throws {
    let world = World(seed: seed)
    try await world.run(steps: 150)
    try await world.settle()
    try await world.check()
  }

  @Test(arguments: seeds)
  func everyBoardIsEqualAfterDisasters(seed: UInt64) async throws {
    let world = World(seed: seed &+ 1_000_000, hasDisasters: true)
    try await world.run(steps: 200)
    try await world.settle()
    try await world.check()
  }

  @Test("Every board is equal though logs are replaced", arguments: seeds, [false, true])
  func replacedLogs(seed: UInt64, hasDisasters: Bool) async throws {
    let world = World(
      seed: seed &+ 2_000_000, hasDisasters: hasDisasters, replacesLogs: true)
    try await world.run(steps: 200)
    try await world.settle()
    try await world.check()
  }
}

/// Machines that share a board.
final class World {
  private let log: MemoryLog
  private let store = MemoryContents()
  private let chance: Chance
  private var generator: SplitMix64
  private var machines: [Machine] = []
  private let seed: UInt64
  /// Whether logs are replaced, while machines are offline for a long time, and others join.
  private let replacesLogs: Bool
  /// A machine that is offline, and the step after which it is online again.
  private var absence: (machine: Int, end: Int)?
  /// Whether homes and daemons are restored, homes copied, replicas and contents lost, and disks full.
  private let hasDisasters: Bool
  private var backups: [(machine: Int, data: Machine.Backup)] = []
  /// The rows that were on a daemon's board and not in the log when the board was restored.
  private var unsent: Set<String> = []

  init(seed: UInt64, hasDisasters: Bool = false, replacesLogs: Bool = false) {
    (self.seed, self.hasDisasters, self.replacesLogs) = (seed, hasDisasters, replacesLogs)
    chance = Chance(seed: seed &* 7 &+ 1)
    log = MemoryLog(chance)
    generator = SplitMix64(seed: seed)
    for number in 0..<3 {
      machines.append(Machine(number, seed: seed, chance, log, store))
    }
  }

  func run(steps: Int) async throws {
    for step in 0..<steps {
      if hasDisasters, generator.happens(8) { try await makeDisaster() }
      if replacesLogs { changeMembers(step) }
      let number = Int.random(in: 0..<machines.count, using: &generator)
      let machine = machines[number]
      if number == absence?.machine {
        await machine.board.edit()
        if generator.happens(50) { machine.crash() }
        continue
      }
      if replacesLogs, generator.happens(6) {
        // A fault is a crash between two steps.
        do {
          try await machine.replaceLog()
          if generator.happens(30) { try await machine.removeEarlierLogs() }
        } catch { machine.crash() }
        continue
      }
      let action = Int.random(in: 0..<10, using: &generator)
      if action < 4 {
        for _ in 0..<Int.random(in: 1...6, using: &generator) { await machine.board.edit() }
        continue
      }
      if generator.happens(3) { await machine.board.restart() }
      let isOnline = !generator.happens(30)
      do {
        switch action {
        case 4: try await machine.pull()
        case 5: try await machine.push()
        case 6: if isOnline { try await machine.receive() }
        case 7: if isOnline { try await machine.publish() }
        case 8: throw Fault()
        default: try await machine.cycle()
        }
      } catch is Fault { machine.crash() } catch ReplicatorError.invalidSnapshot {
        machine.crash()
      }
    }
  }

  /// Lets a machine be offline for many steps, or a new machine join.
  private func changeMembers(_ step: Int) {
    if let end = absence?.end, end <= step { absence = nil }
    if absence == nil, generator.happens(3) {
      absence = (
        Int.random(in: 0..<machines.count, using: &generator),
        step + Int.random(in: 20...100, using: &generator)
      )
    }
    guard machines.count < 5, generator.happens(1) else { return }
    machines.append(Machine(machines.count, seed: seed, chance, log, store))
  }

  private func makeDisaster() async throws {
    let number = Int.random(in: 0..<machines.count, using: &generator)
    let machine = machines[number]
    switch Int.random(in: 0..<12, using: &generator) {
    case 0..<4: backups.append((number, await machine.backup()))
    case 4:
      guard let backup = backups.last(where: { $0.machine == number }) else { return }
      await noteUnsent(of: machine)
      await machine.restore(backup.data)
    case 5:
      guard let backup = backups.last(where: { $0.machine == number }) else { return }
      await noteUnsent(of: machine)
      await machine.restoreDaemon(backup.data)
    case 6: await machine.lose()
    case 7: await store.lose()
    case 8, 9: await machine.setFull(true)
    case 10: for machine in machines { await machine.setFull(false) }
    default:
      guard machines.count < 5, let backup = backups.randomElement(using: &generator) else {
        return
      }
      let copy = Machine(machines.count, seed: seed, chance, log, store)
      await copy.restore(backup.data)
      machines.append(copy)
    }
  }

  private func noteUnsent(of machine: Machine) async {
    var sent: Set<String> = []
    for case .insert(_, let row, _) in await log.batches.flatMap(\.edits) {
      sent.insert(row.application)
    }
    unsent.formUnion(Set(await machine.board.rows.values.map(\.application)).subtracting(sent))
  }

  /// Exchanges edits until all machines have all of them.
  func settle() async throws {
    await chance.stopFaults()
    for machine in machines { await machine.setFull(false) }
    for round in 0..<100 {
      // If the only machine with a content was restored, no machine has the content any more.
      if round == 50 { await store.find() }
      var isDone = true
      for machine in machines {
        machine.crash()
        if try await !machine.cycle() { isDone = false }
        if try await !machine.started().replica.waiting.isEmpty { isDone = false }
      }
      if isDone { return }
    }
    Issue.record("the machines do not settle")
  }

  func check() async throws {
    var oracle = NaiveSharedBoard()
    var last: [MachineKey: UInt64] = [:]
    for batch in await log.batches {
      guard batch.number > last[batch.machine] ?? 0 else { continue }
      last[batch.machine] = batch.number
      for edit in batch.edits { oracle.apply(edit) }
    }
    let expected = oracle.sections.map { section in
      section.rows.map { oracle.rows[$0] }
    }
    var (inserted, deleted): (Set<String>, Set<String>) = ([], [])
    var texts: [String: Set<String>] = [:]
    var hasAllLogs = true
    for machine in machines {
      let board = machine.board
      let (sections, rows) = (await board.sections, await board.rows)
      #expect(sections.map(\.name) == oracle.sections.map(\.name))
      #expect(sections.map { $0.items.map { rows[$0] } } == expected)
      #expect(await board.refusals == [])
      if await board.hasShortLog { hasAllLogs = false }
      let deeds = await board.deeds
      inserted.formUnion(deeds.inserted)
      deleted.formUnion(deeds.deleted)
      for (row, text) in deeds.texts { texts[row, default: []].insert(text) }
    }
    let present = expected.flatMap { $0 }.map { $0?.application ?? "" }
    let lost = inserted.subtracting(deleted).subtracting(present).subtracting(unsent)
    #expect(lost == [], "rows are lost")
    if hasDisasters {
      // A machine whose replica is lost with an edit takes the edited row for a new one. If a copy of the
      // home then sends the edit, the rows are equal. So the check concerns rows without edits.
      let rows = expected.flatMap { $0 }.compactMap { $0 }.filter {
        $0.name.isEmpty && texts[$0.application] == nil
      }.map(\.application)
      #expect(rows.count == Set(rows).count, "rows came twice")
      return
    }
    for machine in machines { #expect(try await machine.started().replica.replaced == 0) }
    // A link may be killed after it has inserted rows, and the daemon may forget its changes before
    // the link starts again. If clients have deleted all these rows in between, the link cannot
    // detect it and inserts them again.
    if hasAllLogs {
      #expect(Set(present).subtracting(inserted.subtracting(deleted)) == [], "rows came back")
    }
    #expect(present.count == Set(present).count)
    for row in expected.flatMap({ $0 }) {
      guard let row, let set = texts[row.application], !deleted.contains(row.application) else {
        continue
      }
      #expect(set.contains(MemoryBoard.text(of: row)))
    }
  }
}
