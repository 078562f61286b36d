import DragModel
import Foundation
import Logging
import TestSupport
import Testing

@testable import DBus
@testable import DragboardService
@testable import DragboardStore
@testable import dragboardd

/// Maintenance makes commits.
///
/// If a transaction were open at that time, maintenance would also commit or roll back its edits.
@Suite("Maintenance and an open transaction")
struct OpenTransactionTests {
  private let bus: PrivateBus
  private let loop: EventLoop
  private let server: ObjectServer
  private let transactions: Transactions
  private let scheduler: Scheduler
  private let purge: Purge
  private let words: WordIndex
  private let store: FaultyStore
  private var orders: FaultyStore.Orders { store.orders }

  init() throws {
    bus = try PrivateBus()
    loop = try EventLoop()
    server = ObjectServer(try Connection(to: bus.address, on: loop))
    store = try FaultyStore(directory: bus.home.path + "/data")
    let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    transactions = Transactions(server, store, log)
    scheduler = Scheduler(loop, transactions, WorkerPool(loop))
    words = WordIndex(scheduler, log)
    let traces = TraceErasure(scheduler, log, words)
    purge = Purge(scheduler, log, traces)
  }

  /// Opens a transaction, lets maintenance try for longer than its delay, and commits.
  ///
  /// - Returns: the number of writes of maintenance while the transaction was open.
  private func countWritesWhileOpen(_ start: () -> Void, delay: Duration = .milliseconds(50)) -> Int
  {
    transactions.beginStep()
    transactions.current.open()
    let before = orders.maintenanceWrites
    start()
    var isDue = false
    loop.schedule(after: delay) { isDue = true }
    loop.wait { isDue }
    #expect(transactions.isOpen)
    let count = orders.maintenanceWrites - before
    transactions.endIteration()
    loop.wait { orders.maintenanceWrites > before + count }
    #expect(orders.maintenanceWrites > before + count, "maintenance goes on after the commit")
    return count
  }

  @Test("A purge waits until an open transaction is committed")
  func purges() {
    #expect(countWritesWhileOpen { purge.later() } == 0)
  }

  @Test("The index of words waits until an open transaction is committed")
  func indexing() {
    #expect(countWritesWhileOpen({ words.noteRows() }, delay: .milliseconds(600)) == 0)
  }

  @Test("Rows are staged only after an open transaction is committed")
  func staging() {
    let content = RowContent(
      created: 1, source: "", preview: "a",
      representations: [.init(type: .plainText, data: Array("a".utf8))])
    var staged: Int?
    let count = countWritesWhileOpen {
      _ = Staging(
        of: 3, purge, scheduler.repeatInSteps,
        content: { _ in content },
        onEnd: { _, result in staged = (try? result.get())?.rows.count ?? 0 })
    }
    #expect(count == 0)
    loop.wait { staged != nil }
    #expect(staged == 3)
  }

  @Test("After an erasure of traces, an index with too many levels is renewed")
  func renewal() throws {
    _ = try store.insert((0..<1_000).map { "kept \($0)" })
    let levels = { (try? store.tables.words.levelCount()) ?? .max }
    // The last row leaves its traces to the service.
    repeat {
      while try store.eraseTraces() { try store.commit() }
      let row = try store.insert(["deleted"])
      try store.indexAll()
      try store.discard(row)
      try store.commitAndPurge()
    } while levels() < WordTable.maxLevels
    transactions.beginStep()
    purge.later()
    transactions.endIteration()
    loop.wait { levels() < 10 && (try? store.isIndexBehind()) == false }
    #expect(levels() < 10)
    #expect(try store.search("kept").count == 1_000)
  }
}
