import BoardModel
import TestSupport
import Testing

@Suite("The queue of the rows that retention may delete")
struct RetentionQueueTests {
  @Test("A renewed row is as old as the row whose number it gets")
  func renewal() throws {
    let board = try Board(rows(1, 2, 3, 4))
    var queue = RetentionQueue(of: board, renewals: [RowID(2): 6])
    #expect(queue.oldest(4, on: board) == rows(1, 3, 4, 2))
    for (row, number) in [(1, 7), (2, 8), (3, 9)] {
      queue.renew(RowID(UInt64(row)), as: RowID(UInt64(number)))
    }
    #expect(queue.oldest(4, on: board) == rows(4, 1, 2, 3))
  }

  @Test(
    "The oldest rows come first, without pinned and locked rows, whatever their positions on the board"
  )
  func order() throws {
    var board = try Board(rows(5, 1), rows(4, 2, 3))
    _ = try board.setFlags(.isPinned, to: true, of: RowID(1))
    _ = try board.setFlags(.isEditable, to: false, of: RowID(3))
    let queue = Queue(RetentionQueue(of: board))
    #expect(queue.oldest(2, on: board) == rows(2, 4))
    #expect(queue.oldest(9, on: board) == rows(2, 4, 5))
    #expect(queue.oldest(0, on: board) == [])
  }

  @Test("A row that is restored or unpinned gets its old position")
  func returning() throws {
    var board = try Board(rows(1, 2, 3))
    let queue = Queue(RetentionQueue(of: board))
    let deletion = try board.delete(rows(1))
    let step = try board.latestStep()
    #expect(queue.follow(try #require(deletion), on: board))
    #expect(queue.oldest(1, on: board) == rows(2))
    let undo = try board.apply(step)
    #expect(queue.follow(undo, on: board))
    #expect(queue.oldest(3, on: board) == rows(1, 2, 3))
  }

  @Test("After a revision that names no rows, the queue must be made again")
  func reset() throws {
    var board = try Board(rows(1, 2))
    let queue = Queue(RetentionQueue(of: board))
    let revision = try board.insert(rows(10..<20_000), at: at(0, 0), maxRows: .max)
    #expect(!queue.follow(try #require(revision), on: board))
  }

  @Test("Only expired rows are found, even if an older row has a later position")
  func expiredOutOfOrder() throws {
    let queue = Queue(RetentionQueue(of: try Board(rows(0..<3))))
    let expired = queue.expired(on: try Board(rows(0..<3))) { $0.rawValue != 1 }
    #expect(expired == rows(0, 2))
  }

  @Test("The rows up to the last expired row are found with few lookups")
  func expired() throws {
    let board = try Board(rows(0..<100_000))
    let queue = Queue(RetentionQueue(of: board))
    for count: UInt64 in [0, 1, 2, 777, 99_999, 100_000] {
      var questions = 0
      let expired = queue.expired(on: board) { row in
        questions += 1
        return row.rawValue < count
      }
      #expect(expired == rows(0..<count))
      #expect(questions <= 20 + Int(count))
    }
  }

  @Test(
    "After random edits the queue equals a sorted list of the board",
    arguments: 0..<20 as Range<UInt64>)
  func random(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var board = Board()
    let queue = Queue(RetentionQueue(of: board))
    var steps: [UndoStep] = []
    var next: UInt64 = 1
    for _ in 0..<600 {
      let all = board.order[0]
      let row = all.randomElement(using: &random)
      var revision: Revision?
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<4:
        let count = UInt64.random(in: 1...3, using: &random)
        let place = Int.random(in: 0...all.count, using: &random)
        revision = try board.insert(rows(next..<next + count), at: at(0, place), maxRows: .max)
        next += count
      case 4..<6:
        if let row, board.isClearable(row) { revision = try board.delete([row]) }
      case 6:
        let flag: RowFlags = Bool.random(using: &random) ? .isPinned : .isEditable
        let isSet = Bool.random(using: &random)
        revision = try row.flatMap { try board.setFlags(flag, to: isSet, of: $0) }
      case 7: revision = board.evict(queue.oldest(2, on: board))
      case 8:
        // An eviction has no step of its own, so only the latest edit is undone.
        if let step = steps.popLast() { revision = try board.apply(step) }
      default: revision = board.clear()
      }
      steps = []
      if let revision {
        #expect(queue.follow(revision, on: board))
        if let step = board.takeUndoStep(), step.evictedCount == 0 { steps = [step] }
      }
      let clearable = board.order[0].filter(board.isClearable).sorted()
      #expect(queue.oldest(.max, on: board) == clearable)
    }
  }
}

/// A queue in a class, so that `#expect` can call its mutating functions.
private final class Queue {
  private var queue: RetentionQueue

  init(_ queue: RetentionQueue) { self.queue = queue }

  func follow(_ revision: Revision, on board: Board) -> Bool { queue.follow(revision, on: board) }

  func oldest(_ count: Int, on board: Board) -> [RowID] { queue.oldest(count, on: board) }

  func expired(on board: Board, _ isExpired: (RowID) -> Bool) -> [RowID] {
    queue.expired(on: board, isExpired)
  }
}
