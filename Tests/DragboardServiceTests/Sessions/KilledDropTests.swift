import DBus
import DragboardInterface
import Foundation
import TestSupport
import Testing

@testable import DragboardStore

@Suite("A kill of the daemon during a drop of promised files")
struct KilledDropTests {
  /// Whether every step is tested (`DRAGBOARD_TEST_KILLS=1`), or only a sample.
  private static let isLong = ProcessInfo.processInfo.environment["DRAGBOARD_TEST_KILLS"] != nil
  private static let sample = 12

  /// The dropped contents: some are stored in the database, some in files.
  private static let files: [[UInt8]] = [
    pattern(1_000), pattern(70_000), pattern(150_000, every: 250), [], pattern(64 << 10),
    pattern((64 << 10) + 1), pattern(400_000), pattern(71_000), [1, 2, 3],
    pattern(300_000, every: 249),
  ]

  @Test("The store has all rows of the drop or none, and all if the drop was answered")
  func kills() throws {
    let killer = try Killer()
    let steps = try Self.round(killer, nil).steps
    #expect(steps > 20)
    var outcomes: [Outcome] = []
    for moment in Self.moments(steps) {
      let outcome = try Self.round(killer, moment)
      outcomes.append(outcome)
      if outcome.hasSurvived { break }
    }
    if Self.isLong { #expect(outcomes.last?.hasSurvived == true) }
    #expect(outcomes.contains { !$0.isThere })
    #expect(outcomes.contains { $0.isThere })
    print(
      "\(outcomes.count) kills at \(steps) steps of a drop,",
      "\(outcomes.count { $0.isThere }) left it stored, \(outcomes.count { $0.isAnswered }) answered"
    )
  }

  /// Returns every moment until the daemon is idle, or a sample that includes the last moments and
  /// one after them.
  private static func moments(_ steps: Int) -> [Killer.Moment] {
    let calls =
      isLong
      ? Array(1...steps + 50)
      : (1..<sample).map { $0 * steps / sample } + Array(steps - 3...steps) + [steps + 50]
    return calls.flatMap { call in
      let (before, after) = (
        Killer.Moment(call: call, isAfter: false), Killer.Moment(call: call, isAfter: true)
      )
      return isLong ? [before, after] : [call.isMultiple(of: 2) ? before : after]
    }
  }

  /// The outcome of a drop.
  private struct Outcome {
    /// Whether the drop was answered before the daemon died.
    let isAnswered: Bool
    /// Whether the rows are on the board after the restart.
    let isThere: Bool
    /// The number of calls to the disk, from the beginning of the drop to the kill.
    let steps: Int
    let hasSurvived: Bool
  }

  /// Drops, kills the daemon, starts it again, and reads the board.
  private static func round(_ killer: Killer, _ moment: Killer.Moment?) throws -> Outcome {
    let daemon = try Daemon([], environment: killer.environment)
    let client = try daemon.client()
    let source = try PromisingClient(on: daemon.bus)
    let session = try source.drag(type: "application/x-file", files.map { .gives($0) })
    killer.arm(moment)
    let result = try? client.drop(session)
    // Signals that follow the answer at once are counted, too.
    _ = client.takeSignals()
    let steps = killer.count
    daemon.kill()

    try daemon.start()
    let rows = try daemon.client().rows()
    let comment: Comment = "\(moment.map { "\($0)" } ?? "not killed") of \(steps)"
    if let result { #expect(rows.map(\.id) == result.items, comment) }
    #expect([0, files.count].contains(rows.count), comment)
    for (row, file) in zip(rows, files) {
      let bytes = try daemon.client().call(BoardInterface.getData, row.id, "*/*")
      #expect(bytes == file, comment)
    }
    let large = rows.isEmpty ? [] : Set(files.filter { $0.count > 64 << 10 }.map { Data($0) })
    #expect(daemon.largeContents(waitingFor: large) == large, comment)
    return Outcome(
      isAnswered: result != nil, isThere: !rows.isEmpty, steps: steps,
      hasSurvived: moment.map { steps < $0.call } ?? true)
  }
}
