import TestSupport
import Testing

@testable import DragboardClient

@Suite("A mirror of a board")
struct MirrorTests {
  @Test("A mirror reports the current board, then every edit by any client")
  func following() async throws {
    let stage = try await Stage()
    let first = try await stage.board.insert(["a"])
    var updates = stage.board.mirror().makeAsyncIterator()
    #expect(try await updates.next() == .snapshot(try await stage.board.snapshot()))
    let other = try await stage.another().board(named: "default")
    let second = try await other.insert(["b"], at: 0)
    try await other.move(from: 0, to: 1)
    #expect(
      try await updates.next()
        == .changes(
          [.insert(second[0], at: 0)],
          BoardSnapshot(
            revision: 3,
            sections: [BoardSnapshot.Section(name: "main", items: second + first)])))
    let update = try await updates.next()
    #expect(update?.board == (try await stage.board.snapshot()))
  }

  @Test(
    "A mirror stays correct through restarts of the daemon amid a stream of edits",
    arguments: [1, 2, 3])
  func restarts(seed: UInt64) async throws {
    let stage = try await Stage()
    var random = SplitMix64(seed: seed)
    var updates = stage.board.mirror().makeAsyncIterator()
    var copy = try #require(try await updates.next()).board
    for round in 0..<4 {
      for number in 0..<30 {
        let rows = try await stage.board.info().count
        switch Int.random(in: 0..<4, using: &random) {
        case 0 where rows > 0:
          let row = try await stage.board.row(at: RowPosition(section: 0, row: rows / 2))
          try await stage.board.delete([row.id])
        case 1 where rows > 1:
          let source = RowPosition(section: 0, row: Int.random(in: 0..<rows, using: &random))
          let destination = RowPosition(section: 0, row: Int.random(in: 0..<rows, using: &random))
          try await stage.board.move(from: source, to: destination)
        default: try await stage.board.insert(["\(round) \(number)"], at: rows / 2)
        }
      }
      stage.daemon.kill()
      try stage.daemon.start()
      // The mirror gets no signal of these edits before it reads the board.
      try await stage.board.insert(["after restart \(round)"], at: 0)
      let wanted = try await stage.board.snapshot()
      while copy != wanted {
        let update = try #require(try await updates.next())
        if case .changes(let changes, let board) = update {
          for change in changes { try copy.apply(change) }
          copy.revision = board.revision
        }
        if case .snapshot(let board) = update { copy = board }
        #expect(copy == update.board)
      }
    }
  }

  @Test("A mirror reports that the daemon has left")
  func loss() async throws {
    let stage = try await Stage()
    var updates = stage.board.mirror().makeAsyncIterator()
    let first = try #require(try await updates.next())
    stage.daemon.kill()
    #expect(try await updates.next() == .lost(first.board))
  }

  @Test("A mirror ends when the board is deleted")
  func deletion() async throws {
    let stage = try await Stage()
    let board = try await stage.dragboard.createBoard(named: "zoo")
    var updates = board.mirror().makeAsyncIterator()
    #expect(try await updates.next() != nil)
    try await stage.dragboard.deleteBoard(named: "zoo")
    #expect(try await updates.next() == nil)
  }

  @Test("The mirror of a missing board fails, and so does a mirror without a daemon")
  func refusals() async throws {
    let stage = try await Stage()
    let board = try await stage.dragboard.createBoard(named: "zoo")
    try await stage.dragboard.deleteBoard(named: "zoo")
    var updates = board.mirror().makeAsyncIterator()
    await expect(.noSuchBoard) { _ = try await updates.next() }
    stage.daemon.kill()
    var others = stage.board.mirror().makeAsyncIterator()
    await expect(.noDaemon) { _ = try await others.next() }
  }

  @Test("A mirror that is slower than the edits stores a limited number of updates, and catches up")
  func slowness() async throws {
    let stage = try await Stage()
    var updates = stage.board.mirror().makeAsyncIterator()
    _ = try await updates.next()
    for _ in 0..<2 { try await stage.board.insert((0..<6_000).map(String.init)) }
    let wanted = try await stage.board.snapshot()
    var board: BoardSnapshot?
    while board != wanted { board = try #require(try await updates.next()).board }
  }

  @Test("Cancelling the task ends the mirror")
  func cancelling() async throws {
    let stage = try await Stage()
    let mirror = stage.board.mirror()
    let task = Task { for try await _ in mirror {} }
    task.cancel()
    await expect(.cancelled) { try await task.value }
  }
}
