import DragboardStore
import TestSupport
import Testing

@testable import DragboardService

@Suite("The limits of deleted boards")
struct DeletedBoardsTests {
  private static let day: UInt64 = 24 * 3_600 * 1_000_000

  /// Returns the numbers of the boards that can be restored; board n was deleted after n days.
  private func restorable(
    _ sizes: [(number: Int64, bytes: Int)], maxBytes: Int = 100, day: UInt64 = 30
  ) -> [Int64] {
    let boards = sizes.map { number, bytes in
      DeletedBoard(
        id: BoardNumber(number), header: .usual("b"), time: UInt64(number) * Self.day, rowCount: 1,
        byteCount: bytes)
    }
    let divided = DeletedBoards(boards, maxBytes: maxBytes, at: day * Self.day)
    #expect((divided.restorable + divided.expired).map(\.id) == boards.map(\.id))
    return divided.restorable.map(\.id.rawValue)
  }

  @Test("At most the latest 16 deleted boards can be restored")
  func number() {
    let boards = (1...20).reversed().map { (number: Int64($0), bytes: 1) }
    #expect(restorable(boards) == (5...20).reversed())
  }

  @Test("A deleted board can be restored for 30 days, and not longer")
  func age() {
    #expect(restorable([(3, 1), (2, 1), (1, 1)], day: 30) == [3, 2, 1])
    #expect(restorable([(3, 1), (2, 1), (1, 1)], day: 32) == [3])
    #expect(restorable([(3, 1)], day: 33) == [])
  }

  @Test(
    "Deleted boards have a maximum number of bytes; the oldest are purged first, and the latest stays"
  )
  func bytes() {
    #expect(restorable([(3, 40), (2, 60), (1, 1)]) == [3, 2])
    #expect(restorable([(3, 40), (2, 61), (1, 1)]) == [3])
    #expect(restorable([(3, 101), (2, 0)]) == [3])
  }

  @Test("A board that was deleted in the future does not expire")
  func clockSetBack() {
    #expect(restorable([(40, 1), (1, 1)], day: 2) == [40, 1])
    #expect(restorable([(Int64(UInt64.max / Self.day / 2), 1)], day: 0).count == 1)
  }
}
