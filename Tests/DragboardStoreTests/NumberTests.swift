import BoardModel
import SQLite
import TestSupport
import Testing

@testable import DragboardStore

@Suite("Numbers of rows and sessions")
struct NumberTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("Rows have consecutive numbers from 1 on, with one write for a thousand")
  func consecutive() throws {
    let store = try folder.open()
    let before = store.tables.transaction.database.totalChanges
    var numbers: [UInt64] = []
    for _ in 0..<500 { numbers += try store.reserveRows(2).map(\.rawValue) }
    #expect(numbers == Array(1...1_000))
    #expect(store.tables.transaction.database.totalChanges - before == 1)
    #expect(try store.reserveRows(100_000).last == RowID(101_000))
    #expect(try store.reserveRows(0).isEmpty)
    #expect(try store.reserveRows(-1).isEmpty)
  }

  @Test("Sessions and rows have separate numbers")
  func apart() throws {
    let store = try folder.open()
    #expect(try store.reserveSessionNumbers().lowerBound == 1)
    #expect(try store.reserveRows(1) == [RowID(1)])
    #expect(try store.reserveSessionNumbers().lowerBound == 1_025)
  }

  @Test("A committed number is not reused after a power cut")
  func powerCut() throws {
    let store = try folder.open()
    _ = try store.reserveRows(3)
    let sessions = try store.reserveSessionNumbers()
    #expect(store.hasUncommittedWrites)
    try store.commit()
    let given = try store.reserveRows(1_000).last
    #expect(!store.hasUncommittedWrites)

    let next = try folder.afterPowerCut().open()
    #expect(try next.reserveRows(1)[0] > given ?? RowID(0))
    #expect(try next.reserveSessionNumbers().lowerBound >= sessions.upperBound)
  }

  @Test("After its rollback a reservation is repeated before any number is used")
  func rolledBack() throws {
    let store = try folder.open()
    #expect(try store.reserveRows(2) == [RowID(1), RowID(2)])
    store.rollback()
    #expect(try store.reserveRows(1) == [RowID(3)])
    #expect(store.hasUncommittedWrites)
    try store.commit()
    #expect(try folder.afterPowerCut().open().reserveRows(1)[0] > RowID(3))
  }

  @Test(
    "No number is used twice, despite commits, rollbacks and interruptions",
    arguments: 1...4 as ClosedRange<UInt64>)
  func random(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var folder = folder
    var store = try folder.open()
    var last = RowID(0)
    var lastDurable = RowID(0)
    for _ in 0..<400 {
      switch Int.random(in: 0..<20, using: &random) {
      case 0:
        folder = try folder.afterPowerCut()
        store = try folder.open()
        last = lastDurable
      case 1..<4: store.rollback()
      case 4..<8:
        if store.hasUncommittedWrites { lastDurable = last }
        try store.commit()
      default:
        let count = Int.random(in: 1..<600, using: &random)
        let rows = try store.reserveRows(count)
        try #require(rows.count == count)
        try #require(rows[0] > last)
        last = rows[count - 1]
        if !store.hasUncommittedWrites { lastDurable = last }
      }
    }
    #expect(last > RowID(10_000))
  }
}
