import BoardModel
import DragboardRecovery
import Foundation
import SQLite
import TestSupport
import Testing

@testable import DragboardStore

@Suite("Power cuts")
struct PowerCutTests {
  /// The number of states that are opened; `DRAGBOARD_TEST_POWER_CUTS=1000` is the long form.
  private static let states =
    ProcessInfo.processInfo.environment["DRAGBOARD_TEST_POWER_CUTS"].flatMap { Int($0) } ?? 150
  private static let edits = states > 150 ? 150 : 40

  @Test("Every acknowledged edit is present, whichever unsynced data the disk has kept")
  func powerCuts() throws {
    try Self.run(try RecordedSession(edits: Self.edits), Self.states)
  }

  @Test("After failed syncs every acknowledged edit is present, too")
  func failedSyncs() throws {
    let session = try RecordedSession(edits: Self.edits, failures: 3)
    #expect(session.refusals > Self.edits / 6)
    try Self.run(session, Self.states)
  }

  private static func run(_ session: RecordedSession, _ states: Int) throws {
    let replay = try Replay(session)
    try replay.checkWhatWasSeen()
    let cuts = replay.cuts(states)
    try replay.check(cuts)
    print(
      "\(cuts.count) power cuts at \(Set(cuts.map(\.index)).count) of \(replay.operations.count) calls,",
      "\(replay.syncs.count) of them syncs, amid \(session.milestones.count) edits")
  }
}

/// The moment of a power cut, and the data that is lost.
private struct PowerCut {
  /// The index of the first call that is not carried out.
  let index: Int
  let loss: SimulatedDisk.Loss
}

/// A replay of recorded operations that checks the files at some moments.
private struct Replay {
  let operations: [(operation: RecordedOperation, start: Int)]
  /// The indexes of the calls that make something durable.
  let syncs: [Int]
  private let session: RecordedSession
  /// The state after each edit.
  private var states: [StoredState] = []
  /// For each edit, the index of the first call after which a client may know of the edit.
  private var acknowledged: [Int] = []
  /// For each edit, the index of the first call that may belong to the edit.
  private var asked: [Int] = []

  init(_ session: RecordedSession) throws {
    self.session = session
    operations = try session.operations()
    syncs = operations.indices.filter { [operations] in operations[$0].operation.isSync }
    try #require(syncs.count > session.milestones.count)
    let sends = operations.indices.filter { [operations] in
      if case .send = operations[$0].operation { true } else { false }
    }
    for milestone in session.milestones {
      asked.append(operations.firstIndex { $0.start >= milestone.asked } ?? 0)
      let told = sends.filter { [operations] in
        milestone.asked..<milestone.answered ~= operations[$0].start
      }
      acknowledged.append(try #require(milestone.isSlow ? told.last : told.first))
    }
    states = try statesAfterEdits()
  }

  /// Returns the states if nothing is lost.
  private func statesAfterEdits() throws -> [StoredState] {
    var disk = SimulatedDisk()
    var numbers = SplitMix64(seed: 1)
    var next = operations.startIndex
    return try session.milestones.map { milestone in
      while next < operations.endIndex, operations[next].start < milestone.answered {
        disk.take(operations[next].operation)
        next += 1
      }
      return try open(disk, .none, &numbers) { try StoredState($0) }
    }
  }

  /// Checks that the client saw the same board as the stored board.
  func checkWhatWasSeen() throws {
    for (milestone, state) in zip(session.milestones, states) {
      guard let seen = milestone.seen else { continue }
      let isSeen = state.isSeen(as: seen)
      #expect(isSeen, "\(milestone.description)")
    }
  }

  /// Returns `count` power cuts: just before each sync, when most data can be lost, at random
  /// moments, and after truncations.
  func cuts(_ count: Int) -> [PowerCut] {
    var numbers = SplitMix64(seed: 5)
    let losses = SimulatedDisk.Loss.any
    let stride = max(1, Double(syncs.count) / Double(max(1, count / 2)))
    let cuts = (0..<count).map { number in
      let round = number / 2
      let sync = syncs[Int(Double(round) * stride) % syncs.count]
      let anywhere = Int.random(in: 0...operations.count, using: &numbers)
      return PowerCut(
        index: number.isMultiple(of: 2) ? sync : anywhere,
        loss: losses[(round + round / max(1, syncs.count)) % losses.count])
    }
    return (cuts + cutsAfterTruncations)
      .filter { cut in
        let place = cut.index < operations.endIndex ? operations[cut.index].start : .max
        return !session.doubts.contains { $0.contains(place) }
      }
      .sorted { $0.index < $1.index }
  }

  /// The power cuts just before a sync of a truncated file.
  ///
  /// The removed data may be there again, mixed with later writes.
  private var cutsAfterTruncations: [PowerCut] {
    var truncations: [UInt64: Int] = [:]
    return operations.enumerated().flatMap { index, recorded -> [PowerCut] in
      switch recorded.operation {
      case .truncate(let file, _): truncations[file] = truncations[file] ?? index
      case .sync(let file), .loseWrites(let file):
        guard let truncation = truncations.removeValue(forKey: file) else { break }
        return (truncation...index).map { PowerCut(index: index, loss: .head($0 + 1)) }
      default: break
      }
      return []
    }
  }

  func check(_ cuts: [PowerCut]) throws {
    var disk = SimulatedDisk()
    var numbers = SplitMix64(seed: 9)
    var next = operations.startIndex
    for cut in cuts {
      while next < cut.index {
        disk.take(operations[next].operation)
        next += 1
      }
      try check(cut, disk, &numbers)
    }
  }

  private func check(
    _ cut: PowerCut, _ disk: SimulatedDisk, _ numbers: inout SplitMix64
  ) throws {
    let known = acknowledged.prefix { $0 < cut.index }.count
    let begun = asked.prefix { $0 < cut.index }.count
    let comment: Comment = """
      at call \(cut.index), \(cut.loss) lost: \(known) edits acknowledged, \(begun) begun, \
      the last: \(session.milestones.prefix(begun).last?.description ?? "none")
      """
    do {
      try open(disk, cut.loss, &numbers) { store in
        #expect(store.recovery == nil, comment)
        let state = try StoredState(store)
        let isExplained = known == 0 || states[known - 1..<max(known, begun)].contains(state)
        #expect(isExplained, comment)
        try checkSound(store, known, comment)
      }
    } catch { Issue.record("\(error): \(comment)") }
  }

  /// Checks that the database is intact, that no number is assigned twice, and that each content
  /// file belongs to a row.
  private func checkSound(_ store: BoardStore, _ known: Int, _ comment: Comment) throws {
    #expect(
      try store.tables.transaction.database.integer(
        "SELECT count(*) FROM pragma_integrity_check WHERE integrity_check != 'ok'") == 0, comment)
    let rows = states.prefix(known).flatMap { $0.inventory.items.keys }
    #expect(try store.reserveRows(1)[0] > rows.max() ?? RowID(0), comment)
    store.rollback()
    var isMore = true
    while isMore {
      isMore = try store.purgeDiscarded(limit: 100)
      try store.commit()
    }
    let contents = store.contents.path
    let files = (try? FileManager.default.contentsOfDirectory(atPath: contents)) ?? []
    #expect(try Set(files) == Set(store.heldContents()), comment)
  }

  /// Opens a store on the files after the power cut.
  private func open<Result>(
    _ disk: SimulatedDisk, _ loss: SimulatedDisk.Loss, _ numbers: inout SplitMix64,
    _ body: (BoardStore) throws -> Result
  ) throws -> Result {
    let home = FileManager.default.temporaryDirectory.appending(path: "cut-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: home) }
    try disk.restore(session.folder, as: home.path, loss, &numbers)
    return try body(try BoardStore.open(in: home.path))
  }
}

extension BoardStore {
  /// Returns the names of the content files that rows refer to.
  fileprivate func heldContents() throws(SQLiteError) -> [String] {
    var names: [String] = []
    try Statement(
      tables.transaction.database, "SELECT lower(hex(data)) FROM representation WHERE file NOT NULL"
    )
    .forEach { if let name = $0.text(0) { names.append(name) } }
    return names
  }
}
