import BoardModel
import Files
import Foundation
import Synchronization

@testable import DragboardStore

/// A store that fails on request and counts its commits.
///
/// The test's thread makes the requests; everything else happens on the service's thread.
final class FaultyStore: BoardStore {
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

  let orders = Orders()
  private var isPurging = false

  convenience init(directory: String) throws(StoreError) {
    let lock = try DataDirectory(path: directory).take(timeout: .zero) { _ in }
    _ = try OpenDatabase.touch(in: directory)
    try self.init(directory: directory, holding: lock) { _ in }
  }

  override func board(_ id: BoardNumber) throws(StoreError) -> Board {
    try orders.check(.readBoard)
    return try super.board(id)
  }

  override func createBoard(_ header: BoardHeader) throws(StoreError) -> BoardNumber {
    try orders.check(.createBoard)
    return try super.createBoard(header)
  }

  override func update(_ header: BoardHeader, of board: BoardNumber) throws(StoreError) {
    try orders.check(.update)
    try super.update(header, of: board)
  }

  override func deleteBoard(_ board: DeletedBoard) throws(StoreError) {
    try orders.check(.deleteBoard)
    try super.deleteBoard(board)
  }

  override func restoreBoard(_ board: BoardNumber, at pathElement: String) throws(StoreError) {
    try orders.check(.restoreBoard)
    try super.restoreBoard(board, at: pathElement)
  }

  override func purgeBoard(_ board: BoardNumber) throws(StoreError) {
    try orders.check(.purgeBoard)
    try super.purgeBoard(board)
  }

  /// Fails before, during or after the writes of the rows, the steps and the log.
  override func save(_ changes: UnsavedBoard, of board: BoardNumber) throws(StoreError) -> [RowID] {
    try orders.check(.save)
    let unneeded = try super.save(changes, of: board)
    for _ in changes.history.steps { try orders.check(.saveStep) }
    if changes.history.log != nil { try orders.check(.log) }
    return unneeded
  }

  override func put(_ content: RowContent, of row: RowID) throws(StoreError) {
    try orders.check(.put)
    try super.put(content, of: row)
  }

  override func moveItem(from source: RowID, to destination: RowID) throws(StoreError) {
    try orders.check(.moveItem)
    try super.moveItem(from: source, to: destination)
  }

  override func stageRows(_ count: Int) throws(StoreError) -> StagedRows {
    orders.countMaintenance()
    defer { orders.tellOfStage() }
    return try super.stageRows(count)
  }

  override func commit() throws(StoreError) {
    guard !isPurging else {
      isPurging = false
      return try super.commit()
    }
    orders.tellOfCommit()
    try orders.check(.commit)
    try super.commit()
  }

  // The next commit after one of these functions is not that of an edit, so it is not counted.

  override func eraseTraces() throws(StoreError) -> Bool {
    isPurging = true
    orders.countMaintenance()
    return try super.eraseTraces()
  }

  override func purge() throws(StoreError) -> Bool {
    isPurging = true
    orders.countMaintenance()
    let isMore = try super.purge()
    orders.tellOfPurge(isMore: isMore)
    return isMore
  }

  override func indexSome() throws(StoreError) -> Bool {
    try orders.check(.index)
    isPurging = true
    orders.countMaintenance()
    return try super.indexSome()
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
