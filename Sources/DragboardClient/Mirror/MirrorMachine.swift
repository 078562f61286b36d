/// The state machine of a mirror, without bus and clock.
///
/// It stores a copy of a board's order.
///
/// The follower performs the actions that `next()` returns, and reports their results and all events.
struct MirrorMachine {
  /// The next action of the follower.
  enum Action: Equatable {
    /// Return the update.
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
    /// The copy is behind: edits between the copy and the waiting edits have not arrived.
    case behind
    /// There is no usable copy. The whole board has to be read.
    case outdated
    /// The daemon is not on the bus.
    case lost
    /// The board was deleted.
    case gone
    /// The daemon cannot be called.
    case failed(DragboardError)
  }

  /// The edits of one signal; nil changes mean a reset.
  private struct Edits {
    let from: UInt64
    let to: UInt64
    let changes: [BoardChange]?
  }

  private var state = State.outdated
  private var copy = BoardSnapshot(revision: 0, sections: [])
  /// Whether the board has been read at least once.
  private(set) var hasCopy = false
  /// The next update to return.
  private var news: BoardUpdate?
  private var waiting: [Edits] = []
  private var waitingChanges = 0
  /// The number of consecutive calls that failed.
  private var failures = 0
  private let capacity: Int

  /// - Parameter capacity: the maximum number of waiting edits, and of their changes.
  ///
  /// If there are more, all waiting edits are dropped, and read later.
  init(capacity: Int = 10_000) { self.capacity = capacity }

  /// The number of consecutive failed calls after which the mirror fails.
  private static let maxFailures = 3

  // MARK: Steps

  /// Returns the next step.
  ///
  /// It returns each update once.
  mutating func next() -> Action {
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
  private mutating func follow() -> Action {
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
    // Edits that do not begin at the snapshot's revision are from an earlier process of the daemon,
    // so they are forgotten.
    if !dropKnownEdits() { forgetWaiting() }
  }

  mutating func didRead(_ changes: BoardChanges) {
    guard case .behind = state else { return }
    failures = 0
    apply(changes.changes, to: changes.revision)
    if case .following = state, !dropKnownEdits() { state = .outdated }
  }

  /// Handles a refusal of the changes: the whole board has to be read.
  mutating func didRefuseChanges() {
    if case .behind = state { state = .outdated }
  }

  /// Handles a failed call.
  ///
  /// If the call failed because the daemon left the bus, `didLoseDaemon` was called before. In this
  /// case the machine repeats the call after `didFindDaemon`.
  mutating func didFail(_ error: DragboardError) {
    failures += 1
    switch state {
    case .lost, .gone: return
    default: break
    }
    let isWorthAnother = hasCopy && error.reason.isAbsence && failures < Self.maxFailures
    if !isWorthAnother { state = .failed(error) }
  }

  /// Drops edits that the copy already includes.
  ///
  /// - Returns: whether the remaining edits begin at the copy's revision.
  private mutating func dropKnownEdits() -> Bool {
    let known = waiting.prefix { $0.to <= copy.revision }
    waitingChanges -= known.reduce(0) { $0 + ($1.changes?.count ?? 0) }
    waiting.removeFirst(known.count)
    return waiting.first.map { $0.from == copy.revision } ?? true
  }

  // MARK: Events

  /// Handles edits of the board; nil changes mean a reset.
  mutating func didChange(from: UInt64, to: UInt64, _ changes: [BoardChange]?) {
    let count = changes?.count ?? 0
    guard waiting.count < capacity, waitingChanges + count <= capacity || waiting.isEmpty else {
      // This entry begins after the dropped edits, so the machine sees that edits are missing.
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

  /// Handles the deletion of the board.
  mutating func didDisappear() {
    forgetWaiting()
    state = .gone
  }

  private mutating func forgetWaiting() {
    waiting = []
    waitingChanges = 0
  }
}
