/// Keeps a copy of a board by what the daemon tells: pure, no bus, no clock.
///
/// The shell asks `next()` what to do, does it, and reports what came of it; what happens meanwhile is reported as it happens.
struct MirrorMachine {
  /// What is to be done next.
  enum Step: Equatable {
    /// Hand this out.
    case tell(BoardUpdate)
    /// Read the whole board, and report by `didRead` or `didFail`.
    case askSnapshot
    /// Ask for the changes since that revision, and report by `didRead`, `didRefuseChanges` or `didFail`.
    case askChanges(since: UInt64)
    /// Wait until something happens.
    case wait
    /// The board is gone: there is nothing more to tell.
    case end
    /// The daemon cannot be asked.
    case fail(DragboardError)
  }

  private enum State {
    /// The copy is at its revision, and what waits follows on it.
    case following
    /// What lies between the copy and what waits is to be asked for.
    case behind
    /// The copy is of no use: the board is to be read.
    case outdated
    /// The daemon is not there.
    case lost
    /// The board is gone.
    case gone
    /// The daemon cannot be asked.
    case failed(DragboardError)
  }

  /// Edits that were told of; nil changes are a reset.
  private struct Edits {
    let from: UInt64
    let to: UInt64
    let changes: [BoardChange]?
  }

  private var state = State.outdated
  private var copy = BoardSnapshot(revision: 0, sections: [])
  /// Whether the copy was ever read.
  private(set) var hasCopy = false
  /// What is to be handed out before anything else is done.
  private var news: BoardUpdate?
  private var waiting: [Edits] = []
  private var waitingChanges = 0
  /// How many questions in a row got no answer.
  private var failures = 0
  private let capacity: Int

  /// - Parameter capacity: how many edits, and how many changes, may wait; past that they are dropped, and asked for later.
  init(capacity: Int = 10_000) { self.capacity = capacity }

  /// So many questions in a row may get no answer before it is given up.
  private static let maxFailures = 3

  // MARK: What to do

  /// What is to be done next; what is told here is told once.
  mutating func next() -> Step {
    if let news {
      self.news = nil
      return .tell(news)
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

  /// The next edits that wait, applied.
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

  // MARK: What was done

  /// The board was read.
  mutating func didRead(_ snapshot: BoardSnapshot) {
    guard case .outdated = state else { return }
    failures = 0
    copy = snapshot
    hasCopy = true
    state = .following
    news = .snapshot(snapshot)
    // What is still ahead of the answer is of no daemon that this one could be.
    if !dropKnownEdits() { forgetWaiting() }
  }

  /// The changes were told.
  mutating func didRead(_ changes: BoardChanges) {
    guard case .behind = state else { return }
    failures = 0
    apply(changes.changes, to: changes.revision)
    if case .following = state, !dropKnownEdits() { state = .outdated }
  }

  /// The changes could not be told: the whole board can.
  mutating func didRefuseChanges() {
    if case .behind = state { state = .outdated }
  }

  /// A question got no answer.
  ///
  /// A daemon that left has been reported by then, and so has one that came in its place: that one is asked again.
  mutating func didFail(_ error: DragboardError) {
    failures += 1
    switch state {
    case .lost, .gone: return
    default: break
    }
    let isWorthAnother = hasCopy && error.reason.isAbsence && failures < Self.maxFailures
    if !isWorthAnother { state = .failed(error) }
  }

  /// Drops edits that the copy has already; false where those that are left do not follow on it.
  private mutating func dropKnownEdits() -> Bool {
    let known = waiting.prefix { $0.to <= copy.revision }
    waitingChanges -= known.reduce(0) { $0 + ($1.changes?.count ?? 0) }
    waiting.removeFirst(known.count)
    return waiting.first.map { $0.from == copy.revision } ?? true
  }

  // MARK: What happened

  /// The board has changed; nil changes are a reset.
  mutating func didChange(from: UInt64, to: UInt64, _ changes: [BoardChange]?) {
    let count = changes?.count ?? 0
    guard waiting.count < capacity, waitingChanges + count <= capacity || waiting.isEmpty else {
      // What was dropped lies between the copy and this, which has no changes of its own.
      waiting = [Edits(from: to, to: to, changes: [])]
      waitingChanges = 0
      return
    }
    waiting.append(Edits(from: from, to: to, changes: changes))
    waitingChanges += count
  }

  /// The daemon has left the bus.
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

  /// The daemon has come to the bus.
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
