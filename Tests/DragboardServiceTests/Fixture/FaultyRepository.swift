import BoardModel
import DragboardService
import DragboardStore
import Files
import Foundation
import Synchronization

/// A repository that fails on request and counts its commits.
///
/// The test's thread makes the requests; everything else happens on the service's thread.
final class FaultyRepository: BoardRepository {
  /// A function that can fail.
  enum Step: Hashable, Sendable {
    case put, update, createBoard, deleteBoard, restoreBoard, purgeBoard, save, commit, readBoard,
      log, saveStep, moveItem,
      index
  }

  /// The requests of the test, and the counts for the test.
  final class Orders: Sendable {
    private struct State {
      var failures: [Step: ClosedRange<Int>] = [:]
      var willCommit: (@Sendable () -> Void)?
      var didStage: (@Sendable () -> Void)?
      var commits = 0
      var maintenanceWrites = 0
    }
    private let state = Mutex(State())
    private let purges = Purges()

    /// Fails a step `times` times, after `others` successes.
    func fail(_ step: Step, times: Int = 1, after others: Int = 0) {
      state.withLock { $0.failures[step] = others + 1...others + times }
    }

    /// Calls `body` on the service's thread before every commit.
    func onCommit(_ body: (@Sendable () -> Void)?) { state.withLock { $0.willCommit = body } }

    /// Calls `body` on the service's thread when rows have been staged but have no contents yet.
    func onStage(_ body: (@Sendable () -> Void)?) { state.withLock { $0.didStage = body } }

    /// The number of times that the purge has ended: once after the start, then after each
    /// deletion.
    var ends: Int { purges.ends }

    /// Waits until the purge has ended `count` times; returns false after a timeout.
    func wait(forEnds count: Int) -> Bool { purges.wait(for: count) }

    fileprivate func tellOfPurge(isMore: Bool) { if !isMore { purges.add() } }

    /// The number of requested commits.
    var commits: Int { state.withLock { $0.commits } }

    /// The number of purges, erasures, index steps and stagings.
    var maintenanceWrites: Int { state.withLock { $0.maintenanceWrites } }

    fileprivate func countMaintenance() { state.withLock { $0.maintenanceWrites += 1 } }

    fileprivate func check(_ step: Step) throws(StoreError) {
      let isDue = state.withLock { state in
        guard let failures = state.failures[step], failures.upperBound > 0 else { return false }
        state.failures[step] = failures.lowerBound - 1...failures.upperBound - 1
        return failures.lowerBound <= 1
      }
      if isDue { throw StoreError.file(FileError(path: "boards.db", code: ENOSPC)) }
    }

    fileprivate func tellOfStage() { state.withLock { $0.didStage }?() }

    fileprivate func tellOfCommit() {
      let body = state.withLock { state in
        state.commits += 1
        return state.willCommit
      }
      body?()
    }
  }

  let orders: Orders
  fileprivate let base: any BoardRepository
  fileprivate var isPurging = false

  init(_ base: any BoardRepository, _ orders: Orders) {
    self.base = base
    self.orders = orders
  }

  var salt: [UInt8] { base.salt }

  var contents: ContentDirectory { base.contents }

  func boards() throws(StoreError) -> [BoardRecord] { try base.boards() }

  func board(_ id: BoardID) throws(StoreError) -> Board {
    try orders.check(.readBoard)
    return try base.board(id)
  }

  func createBoard(_ header: BoardHeader) throws(StoreError) -> BoardID {
    try orders.check(.createBoard)
    return try base.createBoard(header)
  }

  func update(_ header: BoardHeader, of board: BoardID) throws(StoreError) {
    try orders.check(.update)
    try base.update(header, of: board)
  }

  func deleteBoard(_ board: DeletedBoard) throws(StoreError) {
    try orders.check(.deleteBoard)
    try base.deleteBoard(board)
  }

  func deletedBoards() throws(StoreError) -> [DeletedBoard] { try base.deletedBoards() }

  func restoreBoard(_ board: BoardID, at pathElement: String) throws(StoreError) {
    try orders.check(.restoreBoard)
    try base.restoreBoard(board, at: pathElement)
  }

  func purgeBoard(_ board: BoardID) throws(StoreError) {
    try orders.check(.purgeBoard)
    try base.purgeBoard(board)
  }

  /// Fails before, during or after the writes of the rows, the steps and the log.
  func save(_ changes: BoardChanges, of board: BoardID) throws(StoreError) -> [RowID] {
    try orders.check(.save)
    let unneeded = try base.save(changes, of: board)
    for _ in changes.history.steps { try orders.check(.saveStep) }
    if changes.history.log != nil { try orders.check(.log) }
    return unneeded
  }

  func reserveRows(_ count: Int) throws(StoreError) -> [RowID] { try base.reserveRows(count) }

  func reserveSessionNumbers() throws(StoreError) -> Range<UInt64> {
    try base.reserveSessionNumbers()
  }

  func reserveViewNumbers() throws(StoreError) -> Range<UInt64> {
    try base.reserveViewNumbers()
  }

  func insert(_ contents: [RowContent]) throws(StoreError) -> [RowID] {
    for _ in contents { try orders.check(.put) }
    return try base.insert(contents)
  }

  func put(_ content: RowContent, of row: RowID) throws(StoreError) {
    try orders.check(.put)
    try base.put(content, of: row)
  }

  func stageRows(_ count: Int) throws(StoreError) -> StagedRows {
    orders.countMaintenance()
    defer { orders.tellOfStage() }
    return try base.stageRows(count)
  }

  func summary(of row: RowID) throws(StoreError) -> RowSummary? { try base.summary(of: row) }

  var hasGarbage: Bool { base.hasGarbage }

  var hasTraces: Bool { base.hasTraces }

  /// The next commit is not that of an edit, so it is not counted.
  func eraseTraces() throws(StoreError) -> Bool {
    isPurging = true
    orders.countMaintenance()
    return try base.eraseTraces()
  }

  func noteMissing(_ row: RowID) { base.noteMissing(row) }

  func rowContent(of row: RowID) throws(StoreError) -> RowContent? { try base.rowContent(of: row) }

  func content(of row: RowID, at ordinal: Int) throws(StoreError) -> Payload {
    try base.content(of: row, at: ordinal)
  }

  func text(of row: RowID, limit: Int) throws(StoreError) -> String? {
    try base.text(of: row, limit: limit)
  }

  func commit() throws(StoreError) {
    guard !isPurging else {
      isPurging = false
      return try base.commit()
    }
    orders.tellOfCommit()
    try orders.check(.commit)
    try base.commit()
  }

  func rollback() { base.rollback() }

  /// The next commit is not that of an edit, so it is not counted.
  func purge() throws(StoreError) -> Bool {
    isPurging = true
    orders.countMaintenance()
    let isMore = try base.purge()
    orders.tellOfPurge(isMore: isMore)
    return isMore
  }
}

// The functions for the history and the search of a board.
extension FaultyRepository {
  func loggedChanges(
    after revision: UInt64, of board: BoardID, limit: Int
  ) throws(StoreError) -> [[UInt8]]? {
    try base.loggedChanges(after: revision, of: board, limit: limit)
  }

  func firstLoggedRevision(of board: BoardID) throws(StoreError) -> UInt64? {
    try base.firstLoggedRevision(of: board)
  }

  func steps(of board: BoardID) throws(StoreError) -> [StepInfo] { try base.steps(of: board) }

  func operations(
    ofStep number: UInt64, of board: BoardID
  ) throws(StoreError) -> (operations: [UInt8], kept: [RowID])? {
    try base.operations(ofStep: number, of: board)
  }

  func rows(withDigest digest: UInt64) throws(StoreError) -> [RowID] {
    try base.rows(withDigest: digest)
  }

  func renewals() throws(StoreError) -> [RowID: UInt64] { try base.renewals() }

  func rowsBySandbox() throws(StoreError) -> [String: [RowID]] { try base.rowsBySandbox() }

  func setAge(of row: RowID, created: UInt64, renewal: UInt64?) throws(StoreError) {
    try base.setAge(of: row, created: created, renewal: renewal)
  }

  func byteCount(of rows: [RowID]) throws(StoreError) -> Int { try base.byteCount(of: rows) }

  func measure(_ use: inout SourceUse) throws(StoreError) -> Bool { try base.measure(&use) }

  func moveItem(from source: RowID, to destination: RowID) throws(StoreError) {
    try orders.check(.moveItem)
    try base.moveItem(from: source, to: destination)
  }

  /// The next commit is not that of an edit, so it is not counted.
  func indexSome() throws(StoreError) -> Bool {
    try orders.check(.index)
    isPurging = true
    orders.countMaintenance()
    return try base.indexSome()
  }

  func beginSearch(_ query: String, source: String?) throws(StoreError) -> WordSearch {
    try base.beginSearch(query, source: source)
  }
}

/// Counts the ends of purges.
///
/// `@unchecked` is safe, because only code with the condition's lock accesses the count.
private final class Purges: @unchecked Sendable {
  private let condition = NSCondition()
  private var count = 0

  var ends: Int { condition.withLock { count } }

  func add() {
    condition.withLock {
      count += 1
      condition.broadcast()
    }
  }

  func wait(for ends: Int) -> Bool {
    let deadline = Date(timeIntervalSinceNow: 120)
    return condition.withLock {
      while count < ends, condition.wait(until: deadline) {}
      return count >= ends
    }
  }
}
