import BoardModel
import DBus
import DragboardInterface
import Foundation
import TestSupport
import Testing

@Suite(
  "Undo at random, beside retention, edits of other machines, settings and restarts")
struct RandomHistoryTests {
  /// The number of runs; `DRAGBOARD_TEST_HISTORIES=500` is the long form.
  private static let runs =
    ProcessInfo.processInfo.environment["DRAGBOARD_TEST_HISTORIES"].flatMap { UInt64($0) } ?? 6
  /// The seed of the first run.
  private static let firstSeed =
    ProcessInfo.processInfo.environment["DRAGBOARD_TEST_FIRST_SEED"].flatMap { UInt64($0) } ?? 0
  private static let steps = 150

  @Test(
    "The board, its limits and its changes are those of the oracle after every step",
    arguments: firstSeed..<firstSeed + runs)
  func random(seed: UInt64) throws {
    let run = try HistoryRun(seed: seed)
    for step in 0..<Self.steps {
      do { try run.step() } catch {
        Issue.record("seed \(seed), step \(step): \(error)\n\(run.latest)")
        return
      }
    }
  }
}

/// A board of a daemon, and the oracle for it.
private final class HistoryRun {
  /// A call that edits the board, or a setting.
  private enum Call {
    case edit(Edit)
    case undo, redo, erase
    case apply([RemoteEdit], base: UInt64)
    case retainRows(UInt32), retainSeconds(UInt32), maxRows(UInt32)
  }

  private let daemon: Daemon
  private var client: BusClient
  private var oracle: HistoryOracle
  private var replica: Replica
  private var edits: RandomEdits
  private var random: SplitMix64
  private var lastName = 0
  private var calls: [String] = []

  /// The latest calls, for the report of a fault.
  var latest: String { calls.suffix(60).joined(separator: "\n") }

  init(seed: UInt64) throws {
    daemon = try Daemon()
    client = try daemon.client()
    try client.set(BoardInterface.maxRows, to: Variant(.uint32(1_000)))
    oracle = HistoryOracle(try client.state())
    replica = try client.replica()
    edits = RandomEdits(seed: seed, prefix: "own", arranges: true)
    random = SplitMix64(seed: seed ^ 0x1157_0124)
  }

  // MARK: Steps

  func step() throws {
    if oracle.isHistoryOpen { return try make(.erase) }
    switch Int.random(in: 0..<150, using: &random) {
    case 0..<60: try make(.edit(nextEdit()))
    case 60..<84: try make(.undo)
    case 84..<92: try make(.redo)
    case 92..<124: try apply()
    case 124..<132:
      let rows = UInt32.random(in: 1...14, using: &random)
      try make(.retainRows(Bool.random(using: &random) ? rows : 0))
    case 132..<134: try make(.retainSeconds(Bool.random(using: &random) ? 1_000_000_000 : 0))
    case 134..<136: try make(.maxRows([8, 20, 1_000].randomElement(using: &random) ?? 1_000))
    case 136: try make(.erase)
    case 137: try expireAll()
    default: try restart(isKilled: Int.random(in: 0..<3, using: &random) > 0)
    }
  }

  private func nextEdit() -> Edit {
    while true {
      switch edits.next(items: oracle.board.rows.map(\.id), board: replica) {
      case .undo, .redo: continue
      case let edit: return edit
      }
    }
  }

  private func apply() throws {
    var (state, list) = (oracle.board, [RemoteEdit]())
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let edit = try remoteEdit(of: state)
      list.append(edit)
      _ = state.apply([edit])
    }
    let base = [0, oracle.board.revision, oracle.board.revision - 1].randomElement(using: &random)
    try make(.apply(list, base: Int.random(in: 0..<8, using: &random) > 0 ? 0 : base ?? 0))
  }

  private func remoteEdit(of board: BoardState) throws -> RemoteEdit {
    let item = board.rows.randomElement(using: &random)?.id
    let section = board.sections.indices.randomElement(using: &random) ?? 0
    let row = UInt32.random(in: 0...UInt32(board.sections[section].rows.count), using: &random)
    lastName += 1
    switch (Int.random(in: 0..<41, using: &random), item) {
    case (0..<10, let item?): return .delete(item: item)
    case (10..<20, let item?): return .move(item: item, section: UInt32(section), row: row)
    case (20..<24, let item?): return .setText(item: item, "other-\(lastName)")
    case (24..<28, let item?):
      return .setFlags(
        item: item, isEditable: Int.random(in: 0..<4, using: &random) > 0,
        isMovable: Int.random(in: 0..<4, using: &random) > 0)
    case (28, _): return .insertSection(name: "other-\(lastName)", at: UInt32(section))
    default:
      let item = try client.call(BoardInterface.reserveItems, 1)[0]
      return .insert(
        item: item, text: "other-\(lastName)", section: UInt32(section), row: row,
        isPinned: Int.random(in: 0..<8, using: &random) == 0)
    }
  }

  /// Lets all rows reach an age, so that they are deleted by the setting or by time.
  private func expireAll() throws {
    calls.append("expire")
    _ = try client.takeRevisions()
    try client.retain(seconds: 1)
    // The signal of the setting arrives before its reply; deletions by time come later.
    let isEdit = client.signals.contains { $0.member == "Changed" }
    guard client.run(until: { (try? client.state().rows.contains(where: \.isClearable)) == false })
    else {
      throw HistoryOracle.Fault(description: "rows did not reach the age")
    }
    let limits = RetentionLimits(rows: oracle.retention.rows, seconds: 1)
    var told = try client.takeRevisions()[...]
    var expired: Set<String> = []
    if isEdit, let first = told.popFirst() {
      try replica.apply(first.from, first.to, first.changes)
      expired = Set(first.changes.map(\.subject))
    }
    oracle.retain(limits, reaching: oracle.board, expired: expired)
    for revision in told {
      try replica.apply(revision.from, revision.to, revision.changes)
      oracle.expire(Set(revision.changes.map(\.subject)))
    }
    try check()
    try make(.retainSeconds(0))
  }

  // MARK: Calls

  private func make(_ call: Call) throws {
    calls.append("\(call)")
    if Int.random(in: 0..<12, using: &random) == 0, mayBeCutOff(call) {
      return try makeCutOff(call)
    }
    var error: DBusError?
    if case .edit(let edit) = call, edit.isDrop {
      error = drop(edit)
    } else if case .failure(let failure) = client.answers(to: [message(call)])[0] {
      error = failure
    }
    if let error { calls.append("  \(error)") }
    try conclude(call, isRefused: error != nil, on: client.state())
    try check()
    for revision in try client.takeRevisions() {
      try replica.apply(revision.from, revision.to, revision.changes)
    }
    try checkReplica()
  }

  /// Begins a drag and drops it.
  private func drop(_ edit: Edit) -> DBusError? {
    do throws(DBusError) {
      let session = try client.wait(for: edit.message()).arguments(as: ObjectPath.self)
      guard let drop = edit.drop(of: session) else { return nil }
      do throws(DBusError) { try client.wait(for: drop) } catch {
        try? client.cancel(session)
        return error
      }
    } catch { return error }
    return nil
  }

  /// Whether the board shows that the call was made, unless it was refused.
  private func mayBeCutOff(_ call: Call) -> Bool {
    switch call {
    case .edit(let edit): !edit.isDrop
    case .undo: oracle.undoesLatest
    case .erase: false
    default: true
    }
  }

  /// Sends a call, and kills the daemon before or after the reply: the call is made or not.
  private func makeCutOff(_ call: Call) throws {
    calls.append("  cut off")
    let hasArrived = Bool.random(using: &random)
    if !hasArrived { daemon.signal(SIGSTOP) }
    let outstanding = client.send([message(call)])
    daemon.kill()
    let answer = outstanding.all()[0]
    try start()
    let (state, limits) = (try client.state(), try retention())
    if state != oracle.board || limits != oracle.retention || (try? answer.get()) != nil {
      try conclude(call, isRefused: nil, on: state)
    }
    try check()
  }

  private func message(_ call: Call) -> OutgoingMessage {
    func setting(_ property: PropertyDeclaration<UInt32>, _ value: UInt32) -> OutgoingMessage {
      DragboardServiceTests.setting(property, to: Variant(.uint32(value)))
    }
    return switch call {
    case .edit(let edit): edit.message()
    case .undo: Edit.undo.message()
    case .redo: Edit.redo.message()
    case .erase: DragboardServiceTests.call(BoardInterface.erase, false)
    case .apply(let edits, let base):
      DragboardServiceTests.call(BoardInterface.applyEdits, base, edits.map(\.wire))
    case .retainRows(let count): setting(BoardInterface.retainRows, count)
    case .retainSeconds(let count): setting(BoardInterface.retainSeconds, count)
    case .maxRows(let count): setting(BoardInterface.maxRows, count)
    }
  }

  /// Makes the call on the oracle.
  ///
  /// - Parameters:
  ///   - call: the call.
  ///   - isRefused: whether the reply was an error; nil if the call was cut off.
  ///   - state: the board after the call.
  /// - Throws: `Fault` if no rule permits the result.
  private func conclude(_ call: Call, isRefused: Bool?, on state: BoardState) throws {
    func expect(success: Bool) throws {
      guard let isRefused, success == isRefused else { return }
      throw HistoryOracle.Fault(description: "\(call) \(isRefused ? "is refused" : "succeeded")")
    }
    switch call {
    case .edit(let edit):
      let ids = Dictionary(state.rows.map { ($0.text, $0.id) }) { first, _ in first }
      oracle.make(edit, ids: ids)
    case .undo: try oracle.undo(reaching: state, isRefused: isRefused == true)
    case .redo: try expect(success: oracle.redo())
    case .erase: oracle.erase()
    case .apply(let edits, let base):
      let isStale = base != 0 && base != oracle.board.revision
      try expect(success: !isStale && oracle.apply(edits))
    case .retainRows(let count):
      oracle.retain(
        RetentionLimits(rows: count, seconds: oracle.retention.seconds), reaching: state)
    case .retainSeconds(let count):
      oracle.retain(
        RetentionLimits(rows: oracle.retention.rows, seconds: count), reaching: state)
    case .maxRows(let count): oracle.setMaxRows(count)
    }
  }

  // MARK: Restarts

  private func restart(isKilled: Bool) throws {
    calls.append("restart")
    if isKilled { daemon.kill() } else { _ = daemon.terminate() }
    try start()
    try check()
  }

  private func start() throws {
    try daemon.start()
    client = try daemon.client()
    try replica.apply(client.call(BoardInterface.getChanges, replica.revision))
    try checkReplica()
  }

  // MARK: Checks

  private func retention() throws -> RetentionLimits {
    RetentionLimits(
      rows: try client.get(BoardInterface.retainRows),
      seconds: try client.get(BoardInterface.retainSeconds))
  }

  private func check() throws {
    let (state, limits) = (try client.state(), try retention())
    guard state == oracle.board else {
      throw HistoryOracle.Fault(description: "the board is \(state), expected \(oracle.board)")
    }
    guard limits == oracle.retention else {
      throw HistoryOracle.Fault(description: "limits: \(limits), expected \(oracle.retention)")
    }
  }

  private func checkReplica() throws {
    let board = try client.replica()
    guard replica == board else {
      throw HistoryOracle.Fault(description: "the changes lead to \(replica), not to \(board)")
    }
  }
}
