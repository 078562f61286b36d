import TestSupport
import Testing

@testable import DragboardClient

@Suite("The state machine of a mirror")
struct MirrorMachineTests {
  private static let absent = DragboardError(.noDaemon, "gone")

  /// Returns a mirror that has reported its first snapshot.
  private func following(_ snapshot: BoardSnapshot, capacity: Int = 10_000) -> MirrorMachine {
    var mirror = MirrorMachine(capacity: capacity)
    mirror.didRead(snapshot)
    #expect(mirror.next() == .report(.snapshot(snapshot)))
    return mirror
  }

  @Test("A mirror reads the board first, then waits")
  func beginning() {
    var mirror = MirrorMachine()
    #expect(mirror.next() == .askSnapshot)
    mirror.didRead(board(5, 1, 2))
    #expect(mirror.next() == .report(.snapshot(board(5, 1, 2))))
    #expect(mirror.next() == .wait)
  }

  @Test("Edits that the snapshot already includes are dropped")
  func earlySignals() {
    var mirror = MirrorMachine()
    mirror.didChange(from: 4, to: 5, [.insert(item(2), at: 1)])
    mirror.didChange(from: 5, to: 6, [.insert(item(3), at: 2)])
    mirror.didRead(board(5, 1, 2))
    #expect(mirror.next() == .report(.snapshot(board(5, 1, 2))))
    let change = BoardChange.insert(item(3), at: 2)
    #expect(mirror.next() == .report(.changes([change], board(6, 1, 2, 3))))
    #expect(mirror.next() == .wait)
  }

  @Test("After a gap, the mirror requests the changes, and reports no waiting edit twice")
  func gap() {
    var mirror = following(board(1, 1))
    mirror.didChange(from: 2, to: 3, [.insert(item(3), at: 2)])
    #expect(mirror.next() == .askChanges(since: 1))
    let changes: [BoardChange] = [.insert(item(2), at: 1), .insert(item(3), at: 2)]
    mirror.didRead(BoardChanges(revision: 3, changes: changes))
    #expect(mirror.next() == .report(.changes(changes, board(3, 1, 2, 3))))
    #expect(mirror.next() == .wait)
  }

  @Test("The board is read after a reset, and if the changes are not available")
  func refusal() {
    var mirror = following(board(1, 1))
    mirror.didChange(from: 7, to: 8, [])
    #expect(mirror.next() == .askChanges(since: 1))
    mirror.didRefuseChanges()
    #expect(mirror.next() == .askSnapshot)
    mirror.didRead(board(8, 4))
    #expect(mirror.next() == .report(.snapshot(board(8, 4))))
    mirror.didChange(from: 8, to: 9, nil)
    #expect(mirror.next() == .askSnapshot)
  }

  @Test("After a change that does not fit, the mirror reads the board")
  func misfit() {
    var mirror = following(board(1, 1))
    mirror.didChange(from: 1, to: 2, [.delete(item(2), at: 0)])
    #expect(mirror.next() == .askSnapshot)
  }

  @Test("The departure of the daemon is reported, and its return brings the missed changes")
  func loss() {
    var mirror = following(board(1, 1))
    mirror.didLoseDaemon()
    #expect(mirror.next() == .report(.lost(board(1, 1))))
    #expect(mirror.next() == .wait)
    mirror.didFindDaemon()
    #expect(mirror.next() == .askChanges(since: 1))
    mirror.didRead(BoardChanges(revision: 1, changes: []))
    #expect(mirror.next() == .report(.changes([], board(1, 1))))
  }

  @Test("A call that is pending when the daemon leaves is repeated when it is back")
  func lossWhileAsking() {
    var mirror = following(board(1, 1))
    mirror.didChange(from: 2, to: 3, [])
    #expect(mirror.next() == .askChanges(since: 1))
    mirror.didLoseDaemon()
    mirror.didFindDaemon()
    mirror.didFail(Self.absent)
    #expect(mirror.next() == .report(.lost(board(1, 1))))
    #expect(mirror.next() == .askChanges(since: 1))
  }

  @Test("Without a daemon at the beginning, the mirror fails")
  func noDaemon() {
    var mirror = MirrorMachine()
    mirror.didFail(Self.absent)
    #expect(mirror.next() == .fail(Self.absent))
  }

  @Test("If the daemon never replies, the mirror fails after some calls")
  func silence() {
    var mirror = following(board(1, 1))
    mirror.didChange(from: 2, to: 3, [])
    for _ in 0..<3 {
      #expect(mirror.next() == .askChanges(since: 1))
      mirror.didFail(Self.absent)
    }
    #expect(mirror.next() == .fail(Self.absent))
  }

  @Test("When the board is deleted, the mirror ends")
  func deletion() {
    var mirror = following(board(1, 1))
    mirror.didDisappear()
    #expect(mirror.next() == .end)
  }

  @Test("If the iteration is too slow, edits are dropped and requested later")
  func bound() {
    var mirror = following(board(1), capacity: 10)
    for revision in UInt64(1)...100 {
      mirror.didChange(from: revision, to: revision + 1, [.insertSection("\(revision)", at: 0)])
    }
    #expect(mirror.next() == .askChanges(since: 1))
  }

  @Test(
    "Whenever no edit is pending, the copy equals the board, even if signals were lost",
    arguments: [1, 2, 3, 4, 5])
  func random(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var daemon = ToldBoard()
    var mirror = MirrorMachine(capacity: 20)
    var copy: BoardSnapshot?
    for _ in 0..<2_000 {
      let (from, changes) = daemon.edit(using: &random)
      if Int.random(in: 0..<10, using: &random) > 0 {
        mirror.didChange(from: from, to: daemon.board.revision, changes)
      }
      if Int.random(in: 0..<20, using: &random) == 0 { mirror.didLoseDaemon() }
      if Int.random(in: 0..<3, using: &random) > 0 { continue }
      mirror.didFindDaemon()
      // The mirror notices a lost signal when the next signal arrives.
      mirror.didChange(from: daemon.board.revision, to: daemon.board.revision, [])
      try settle(&mirror, daemon, &copy, using: &random)
      #expect(copy == daemon.board)
    }
  }

  /// Performs the requests of the mirror until the mirror waits, and applies its updates to a copy.
  private func settle(
    _ mirror: inout MirrorMachine, _ daemon: ToldBoard, _ copy: inout BoardSnapshot?,
    using random: inout SplitMix64
  ) throws {
    while true {
      switch mirror.next() {
      case .report(.snapshot(let board)): copy = board
      case .report(.lost(let board)): #expect(copy == board)
      case .report(.changes(let changes, let board)):
        for change in changes { try copy?.apply(change) }
        copy?.revision = board.revision
        #expect(copy == board)
      case .askSnapshot: mirror.didRead(daemon.board)
      case .askChanges(let revision):
        if let changes = daemon.changes(since: revision), Bool.random(using: &random) {
          mirror.didRead(BoardChanges(revision: daemon.board.revision, changes: changes))
        } else {
          mirror.didRefuseChanges()
        }
      case .wait: return
      case .end, .fail:
        Issue.record("the mirror gave up")
        return
      }
    }
  }
}

/// A copy of a board that is made only of the mirror's updates.
private struct ToldBoard {
  var board = BoardSnapshot(revision: 1, sections: [BoardSnapshot.Section(name: "main")])
  private var log: [(from: UInt64, changes: [BoardChange])] = []
  private var lastItem = 0

  func changes(since revision: UInt64) -> [BoardChange]? {
    let edits = log.filter { $0.from >= revision }
    return edits.count < 50 ? edits.flatMap(\.changes) : nil
  }

  mutating func edit(using random: inout SplitMix64) -> (UInt64, [BoardChange]?) {
    let from = board.revision
    var changes: [BoardChange] = []
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let change = change(using: &random)
      if (try? board.apply(change)) != nil { changes.append(change) }
    }
    board.revision += 1
    log.append((from, changes))
    return (from, changes)
  }

  private mutating func change(using random: inout SplitMix64) -> BoardChange {
    let items = board.sections[0].items
    guard let old = items.randomElement(using: &random), let row = items.firstIndex(of: old) else {
      return insertion(at: 0)
    }
    let source = RowPosition(section: 0, row: row)
    switch Int.random(in: 0..<(items.count > 40 ? 3 : 5), using: &random) {
    case 0: return .delete(old, at: source)
    case 1, 2:
      let row = Int.random(in: 0..<items.count, using: &random)
      return .move(old, from: source, to: RowPosition(section: 0, row: row))
    default: return insertion(at: Int.random(in: 0...items.count, using: &random))
    }
  }

  private mutating func insertion(at row: Int) -> BoardChange {
    lastItem += 1
    return .insert(item(lastItem), at: RowPosition(section: 0, row: row))
  }
}
