/// The state machine of a mirror, which keeps a copy of a board: no bus, no clock.
///
/// The follower performs the steps that `next()` returns, and reports their results and all events.
struct MirrorMachine {
  /// The next action of the follower.
  enum Step: Equatable {
    /// Return this update.
    case report(BoardUpdate)
    /// Read the whole board, then call `didRead` or `didFail`.
    case askSnapshot
    /// Read the changes since a revision, then call `didRead`, `didRefuseChanges` or `didFail`.
    case askChanges(since: UInt64)
    /// Wait for the next event.
    case wait
    /// End: the board was deleted.
    case end
    /// Fail: the daemon cannot be called.
    case fail(DragboardError)
  }

  private enum State {
    /// The copy is current, except for the waiting edits.
    case following
    /// Edits between the copy and the waiting edits are missing.
    case behind
    /// The copy is useless: the board has to be read.
    case outdated
    /// The daemon is not on the bus.
    case lost
    /// The board was deleted.
    case gone
    /// The daemon cannot be called.
    case failed(DragboardError)
  }

  /// Edits of a signal; nil changes are a reset.
  private struct Edits {
    let from: UInt64
    let to: UInt64
    let changes: [BoardChange]?
  }

  private var state = State.outdated
  private var copy = BoardSnapshot(revision: 0, sections: [])
  /// Whether the copy has been read.
  private(set) var hasCopy = false
  /// The next update to return.
  private var news: BoardUpdate?
  private var waiting: [Edits] = []
  private var waitingChanges = 0
  /// Number of calls in a row that failed.
  private var failures = 0
  private let capacity: Int

  /// - Parameter capacity: maximum number of waiting edits, and of their changes. Above it they are
  ///   dropped, and read later.
  init(capacity: Int = 10_000) { self.capacity = capacity }

  /// Maximum number of calls in a row that may fail.
  private static let maxFailures = 3

  // MARK: Steps

  /// Returns the next step; each update is returned once.
  mutating func next() -> Step {
    if let news {
      self.news = nil
      return .report(news)
    }
    switch state {
    case .following: return follow()
    case .behind: return .askChanges(since: copy.revision)
    case .outdated: return .askSnapshot
    case .lost: return .wait
    case .gone: return .end
    case .failed(let error): return .fail(error)
    }
  }

  /// Applies the next waiting edits.
  private mutating func follow() -> Step {
    guard let edits = waiting.first else { return .wait }
    guard edits.from == copy.revision else {
      state = .behind
      return next()
    }
    waiting.removeFirst()
    waitingChanges -= edits.changes?.count ?? 0
    apply(edits.changes, to: edits.to)
    return next()
  }

  private mutating func apply(_ changes: [BoardChange]?, to revision: UInt64) {
    guard let changes else {
      state = .outdated
      return
    }
    do throws(BoardSnapshot.Misfit) {
      for change in changes { try copy.apply(change) }
      copy.revision = revision
      state = .following
      news = .changes(changes, copy)
    } catch {
      state = .outdated
    }
  }

  // MARK: Results of steps

  mutating func didRead(_ snapshot: BoardSnapshot) {
    guard case .outdated = state else { return }
    failures = 0
    copy = snapshot
    hasCopy = true
    state = .following
    news = .snapshot(snapshot)
    // Edits that do not follow on the reply are of an earlier daemon.
    if !dropKnownEdits() { forgetWaiting() }
  }

  mutating func didRead(_ changes: BoardChanges) {
    guard case .behind = state else { return }
    failures = 0
    apply(changes.changes, to: changes.revision)
    if case .following = state, !dropKnownEdits() { state = .outdated }
  }

  /// The daemon refused the changes: read the whole board.
  mutating func didRefuseChanges() {
    if case .behind = state { state = .outdated }
  }

  /// A call failed.
  ///
  /// If the daemon left, `didLoseDaemon` was called before, and `didFindDaemon` for its successor,
  /// which is called again.
  mutating func didFail(_ error: DragboardError) {
    failures += 1
    switch state {
    case .lost, .gone: return
    default: break
    }
    let isWorthAnother = hasCopy && error.reason.isAbsence && failures < Self.maxFailures
    if !isWorthAnother { state = .failed(error) }
  }

  /// Drops edits that the copy has; returns whether the others follow on the copy.
  private mutating func dropKnownEdits() -> Bool {
    let known = waiting.prefix { $0.to <= copy.revision }
    waitingChanges -= known.reduce(0) { $0 + ($1.changes?.count ?? 0) }
    waiting.removeFirst(known.count)
    return waiting.first.map { $0.from == copy.revision } ?? true
  }

  // MARK: Events

  /// The board was edited; nil changes are a reset.
  mutating func didChange(from: UInt64, to: UInt64, _ changes: [BoardChange]?) {
    let count = changes?.count ?? 0
    guard waiting.count < capacity, waitingChanges + count <= capacity || waiting.isEmpty else {
      // The dropped edits are between the copy and this empty one.
      waiting = [Edits(from: to, to: to, changes: [])]
      waitingChanges = 0
      return
    }
    waiting.append(Edits(from: from, to: to, changes: changes))
    waitingChanges += count
  }

  mutating func didLoseDaemon() {
    forgetWaiting()
    switch state {
    case .following, .behind, .outdated:
      guard hasCopy else { return }
      state = .lost
      news = .lost(copy)
    case .lost, .gone, .failed: break
    }
  }

  mutating func didFindDaemon() {
    if case .lost = state { state = .behind }
  }

  /// The board was deleted.
  mutating func didDisappear() {
    forgetWaiting()
    state = .gone
  }

  private mutating func forgetWaiting() {
    waiting = []
    waitingChanges = 0
  }
}
