import DBus
import DragboardInterface
import Foundation
import TestSupport
import Testing

@Suite("Eight clients edit, arrange, undo and redo one board at once")
struct ManyClientsTests {
  /// The number of edits of each run; `DRAGBOARD_TEST_OPERATIONS=10000` selects the long form.
  private static let operations =
    ProcessInfo.processInfo.environment["DRAGBOARD_TEST_OPERATIONS"].flatMap { Int($0) } ?? 960

  private static let clients = 8
  private static let rounds = 10
  private static let maxSteps = 100

  @Test(
    "Every copy equals the board at every quiet point; undoing and redoing all edits agree",
    arguments: [1, 2, 3] as [UInt64])
  func run(seed: UInt64) throws {
    let daemon = try Daemon()
    let observer = try daemon.client()
    var timeline = Timeline(try observer.replica(), maxSteps: Self.maxSteps)
    let copiers = try (0..<Self.clients).map { number in
      try Copier(daemon.client(), seed: seed &* 100 &+ UInt64(number), number: number)
    }
    for round in 0..<Self.rounds {
      edit(copiers, round)
      try timeline.replay(observer.takeRevisions(), copiers.flatMap(\.editor.attempts))
      try check(copiers, timeline, observer, "seed \(seed), round \(round)")
      if round % 3 == 2 {
        daemon.kill()
        try daemon.start()
      }
    }
    #expect(copiers.reduce(0) { $0 + $1.catches } > Self.rounds)
    #expect(timeline.past.count > 10)
    try undoAndRedo(timeline, observer)
    for copier in copiers {
      try copier.catchUp()
      #expect(try copier.replica == observer.replica())
    }
  }

  @Test(
    "If all steps are retained, undoing all restores the first board, and redoing all the last",
    arguments: [4, 5] as [UInt64])
  func everyStep(seed: UInt64) throws {
    let daemon = try Daemon("--undo-steps", "1000000")
    let observer = try daemon.client()
    let first = try observer.whole()
    let copiers = try (0..<Self.clients).map { number in
      try Copier(daemon.client(), seed: seed &* 100 &+ UInt64(number), number: number)
    }
    for round in 0..<Self.rounds { edit(copiers, round) }
    let last = try observer.whole()
    daemon.kill()
    try daemon.start()
    let count = try observer.undoAll()
    #expect(count > 20)
    #expect(try observer.whole() == first)
    try observer.redo(count)
    #expect(try observer.whole() == last)
    for copier in copiers {
      try copier.catchUp()
      #expect(try copier.replica == observer.replica())
    }
  }

  /// Makes all clients edit at the same time; in each round another client ignores the signals.
  private func edit(_ copiers: [Copier], _ round: Int) {
    for (number, copier) in copiers.enumerated() {
      copier.listens = (number + round) % 4 != 0
      copier.editor.start(Self.operations / Self.clients / Self.rounds)
    }
    for copier in copiers { copier.editor.wait() }
  }

  private func check(
    _ copiers: [Copier], _ timeline: Timeline, _ observer: BusClient, _ place: Comment
  ) throws {
    let board = try observer.replica()
    for copier in copiers {
      if !copier.listens { try copier.catchUp() } else { copier.client.waitForBus() }
      #expect(copier.replica == board, place)
      #expect(copier.faults == [], place)
    }
    #expect(try observer.timelineState() == timeline.state, place)
  }

  /// Undoes all stored steps and redoes them, twice.
  private func undoAndRedo(_ timeline: Timeline, _ client: BusClient) throws {
    try client.redo(timeline.future.count)
    #expect(try client.timelineState() == timeline.future.last ?? timeline.state)
    try client.undo(timeline.future.count)
    for expected in timeline.past {
      try client.undo()
      let state = try client.timelineState()
      try #require(state == expected)
    }
    let more = try client.undoAll()
    let first = try client.whole()
    let all = timeline.past.count + timeline.future.count + more
    try client.redo(all)
    expect(.nothingToRedo) { try client.redo() }
    let last = try client.whole()
    #expect(try client.timelineState() == timeline.future.last ?? timeline.state)
    try client.undo(all)
    #expect(try client.whole() == first)
    try client.redo(all)
    #expect(try client.whole() == last)
  }
}

extension BusClient {
  /// Undoes until no step is left; returns the number of undone steps.
  fileprivate func undoAll() throws -> Int {
    var count = 0
    while true {
      do { try undo() } catch let error as DBusError where error.name == .nothingToUndo {
        return count
      }
      count += 1
    }
  }

  /// Returns the current board with the text of every row.
  fileprivate func timelineState() throws -> Timeline.State {
    let sections = try replica().sections
    var texts: [String: String] = [:]
    for (index, section) in sections.enumerated() {
      for (row, text) in zip(section.rows, try self.texts(UInt32(index))) { texts[row] = text }
    }
    return Timeline.State(sections: sections, texts: texts)
  }
}
