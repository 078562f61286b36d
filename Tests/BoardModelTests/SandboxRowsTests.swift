import TestSupport
import Testing

@testable import BoardModel

@Suite("The rows that use shares of sandboxes")
struct SandboxRowsTests {
  @Test("The rows beyond a share are the oldest; pinned ones count, but cannot be deleted")
  func surplus() throws {
    var board = try Board(rows(1, 2, 3, 4, 5, 6, 7))
    _ = try board.setFlags(.isPinned, to: true, of: RowID(1))
    var shares = SandboxRows(
      ["a": rows(1, 2, 3, 4, 99), "b": rows(6)], renewals: [RowID(2): 50], on: board)
    #expect(shares.count(of: "a") == 4 && shares.count(of: "b") == 1 && shares.count(of: "c") == 0)
    let (count, deletable) = shares.surplus(beyond: 2, on: board)
    #expect(count == 2)
    #expect(deletable == rows(3, 4))
  }

  @Test("Rows that a sandbox inserts and deletes again do not accumulate")
  func deletedRows() throws {
    var board = Board()
    var shares = SandboxRows([:], renewals: [:], on: board)
    for number in 1...1_000 as ClosedRange<UInt64> {
      _ = try board.insert(rows(number), at: at(0, 0), maxRows: .max)
      shares.add(rows(number), of: "a")
      shares.renew(RowID(number), as: RowID(number + 1))
      let revision = try #require(try board.delete(rows(number)))
      _ = shares.follow(revision)
    }
    #expect(shares.queuedCount < 100)
  }

  @Test(
    "After random edits, counts and oldest rows equal those of sorted lists",
    arguments: 0..<20 as Range<UInt64>)
  func random(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var board = Board()
    var shares = SandboxRows([:], renewals: [:], on: board)
    var owners: [RowID: String] = [:]
    var ranks: [RowID: UInt64] = [:]
    var next: UInt64 = 1
    for _ in 0..<400 {
      let all = board.order[0]
      let row = all.randomElement(using: &random)
      var revision: Revision?
      switch (Int.random(in: 0..<8, using: &random), row) {
      case (0..<4, _):
        let new = rows(next..<next + UInt64.random(in: 1...3, using: &random))
        next += UInt64(new.count)
        revision = try board.insert(new, at: at(0, 0), maxRows: .max)
        if let owner = ["a", "b", nil].randomElement(using: &random) ?? nil {
          shares.add(new, of: owner)
          for row in new { (owners[row], ranks[row]) = (owner, row.rawValue) }
        }
      case (4, let row?) where board.isClearable(row): revision = try board.delete([row])
      case (5, let row?):
        let flag: RowFlags = Bool.random(using: &random) ? .isPinned : .isEditable
        revision = try board.setFlags(flag, to: Bool.random(using: &random), of: row)
      case (6, let row?) where board.isClearable(row):
        ranks[row] = next
        shares.renew(row, as: RowID(next))
        next += 1
      case (7, _): revision = board.evict(shares.oldest(2, of: "a", on: board))
      default: break
      }
      let follows = revision.map { shares.follow($0) } ?? true
      #expect(follows)
      for sandbox in ["a", "b"] {
        let own = board.order[0].filter { owners[$0] == sandbox }
        #expect(shares.count(of: sandbox) == own.count)
        let clearable = own.filter(board.isClearable).sorted { ranks[$0]! < ranks[$1]! }
        let oldest = shares.oldest(3, of: sandbox, on: board)
        #expect(oldest == Array(clearable.prefix(3)))
      }
    }
  }
}
