/// One drag, from pick-up to conclusion, as a pure state machine: no bus, no clock, no disk.
///
/// ```
/// active ──beginDrop──▶ dropping ──endDrop──▶ ended
///    └──cancel, connectionLeft, timeOut, shutDown, a drop that does nothing──▶ ended
/// ```
/// Items, representations and the two flags change only while it is active. It ends once: of all events exactly one
/// gives a ``DragConclusion``, and what ended stays so.
public struct DragSession: Sendable {
  /// Where a drag stands.
  public enum State: Hashable, Sendable {
    /// Being dragged; with the latest proposal.
    case active(proposal: DropProposal?)
    /// Being dropped: what was set out to be done.
    case dropping(DropProposal)
    /// Over: what was done, copy, move or cancel.
    case ended(DropOperation)

    /// The name on the wire.
    public var name: String {
      switch self {
      case .active: "active"
      case .dropping: "dropping"
      case .ended: "ended"
      }
    }
  }

  /// Who drags.
  public let source: Application
  /// Where the items come from, if they are rows of a board.
  public let origin: DragOrigin?
  /// How much the session may hold.
  public let limits: SessionLimits
  /// Where the drag stands.
  public private(set) var state = State.active(proposal: nil)
  /// What is dragged; nothing once the session has ended.
  public private(set) var items: [ItemProvider] = []
  /// How many items the session has or, once it has ended, had.
  public private(set) var itemCount = 0
  /// The bytes that the session holds; 0 once it has ended.
  public private(set) var byteCount = 0
  /// Whether a local drop may move the rows.
  public private(set) var allowsMove = true
  /// Whether only the source may drop.
  public private(set) var isRestrictedToApplication = false

  /// Begins a drag without items.
  public init(source: Application, origin: DragOrigin? = nil, limits: SessionLimits) {
    self.source = source
    self.origin = origin
    self.limits = limits
  }

  /// What the latest proposal said, what a drop set out to do, or what was done; nil before the first proposal.
  public var operation: DropOperation? {
    switch state {
    case .active(let proposal): proposal?.operation
    case .dropping(let proposal): proposal.operation
    case .ended(let operation): operation
    }
  }
}

// MARK: While it is active

extension DragSession {
  /// Throws `DragError.sessionEnded` unless the session is active.
  public func requireActive() throws(DragError) {
    guard case .active = state else { throw .sessionEnded }
  }

  /// Adds items after those that there are: all of them or, where a limit is met, none.
  ///
  /// - Returns: The indexes of the new items.
  @discardableResult
  public mutating func add(_ newItems: [ItemProvider]) throws(DragError) -> Range<Int> {
    try requireActive()
    guard newItems.count <= limits.maxItems - items.count else {
      throw .limitExceeded(.items, maximum: limits.maxItems)
    }
    var total = byteCount
    for representation in newItems.lazy.flatMap(\.representations) {
      total = try totalBytes(total, adding: representation)
    }
    items.append(contentsOf: newItems)
    byteCount = total
    itemCount = items.count
    return itemCount - newItems.count..<itemCount
  }

  /// Adds an item after those that there are.
  ///
  /// - Returns: The index of the new item.
  @discardableResult
  public mutating func add(_ item: ItemProvider) throws(DragError) -> Int {
    try add([item]).lowerBound
  }

  /// Adds a representation to an item, the next in fidelity.
  public mutating func register(_ representation: Representation, item: Int) throws(DragError) {
    try requireActive()
    try requireItem(item)
    try items[item].check(representation)
    byteCount = try totalBytes(byteCount, adding: representation)
    try items[item].register(representation)
  }

  /// Says whether a local drop may move the rows.
  public mutating func setAllowsMove(_ allowed: Bool) throws(DragError) {
    try requireActive()
    allowsMove = allowed
  }

  /// Says whether only the source may drop.
  public mutating func setRestrictedToApplication(_ restricted: Bool) throws(DragError) {
    try requireActive()
    isRestrictedToApplication = restricted
  }

  private func totalBytes(
    _ total: Int, adding representation: Representation
  ) throws(DragError) -> Int {
    let added = representation.content.byteCount
    guard added <= limits.maxRepresentationBytes else {
      throw .limitExceeded(.representationBytes, maximum: limits.maxRepresentationBytes)
    }
    guard added <= limits.maxSessionBytes - total else {
      throw .limitExceeded(.sessionBytes, maximum: limits.maxSessionBytes)
    }
    return total + added
  }

  private func requireItem(_ item: Int) throws(DragError) {
    guard items.indices.contains(item) else { throw .noSuchItem(item, count: items.count) }
  }
}

// MARK: Until it has ended

extension DragSession {
  /// The item at an index; `DragError.sessionEnded` where the items have been let go.
  public func item(_ index: Int) throws(DragError) -> ItemProvider {
    try requireItems()
    try requireItem(index)
    return items[index]
  }

  /// Whether a viewer sees a representation that conforms, of any item; see ``ItemProvider`` for `reach`.
  public func canLoad(_ query: TypeQuery, within reach: Visibility) throws(DragError) -> Bool {
    try requireItems()
    return items.contains { $0.first(matching: query, within: reach) != nil }
  }

  private func requireItems() throws(DragError) {
    if case .ended = state { throw .sessionEnded }
  }
}

// MARK: Events

extension DragSession {
  /// A target has said what a drop would do.
  public mutating func didPropose(_ proposal: DropProposal) throws(DragError) {
    try requireActive()
    enter(.active(proposal: proposal))
  }

  /// The drag is dropped; of two drops the first wins.
  public mutating func beginDrop(_ proposal: DropProposal) throws(DragError) -> DropStart {
    try requireActive()
    let (next, start): (State, DropStart) =
      switch proposal.operation {
      case .copy, .move:
        (.dropping(proposal), .perform(proposal))
      case .cancel, .forbidden:
        (
          .ended(.cancel),
          .conclude(DragConclusion(willEnd: .cancel, reportsTransfer: false, operation: .cancel))
        )
      }
    enter(next)
    return start
  }

  /// The drop has been carried out, or has failed; nil where the session was not, or no longer, being dropped.
  public mutating func endDrop(succeeded: Bool) -> DragConclusion? {
    guard case .dropping(let proposal) = state else { return nil }
    return end(with: succeeded ? proposal.operation : .cancel)
  }

  /// The source has called it off; a drop that is under way is broken off.
  public mutating func cancel() throws(DragError) -> DragConclusion {
    guard let conclusion = end(with: .cancel) else { throw .sessionEnded }
    return conclusion
  }

  /// A connection has left the bus.
  ///
  /// Where it alone was the source, that ends an active drag; a drop that is under way goes on.
  public mutating func connectionLeft(_ uniqueName: String) -> DragConclusion? {
    guard case .active = state, source == .uniqueName(uniqueName) else { return nil }
    return end(with: .cancel)
  }

  /// Nobody has named the session for too long.
  public mutating func timeOut() -> DragConclusion? {
    end(with: .cancel)
  }

  /// The daemon is leaving.
  public mutating func shutDown() -> DragConclusion? {
    end(with: .cancel)
  }

  /// Ends the session, unless it has ended.
  private mutating func end(with operation: DropOperation) -> DragConclusion? {
    let conclusion: DragConclusion? =
      switch state {
      case .active:
        DragConclusion(willEnd: operation, reportsTransfer: false, operation: operation)
      case .dropping:
        DragConclusion(willEnd: nil, reportsTransfer: true, operation: operation)
      case .ended: nil
      }
    guard conclusion != nil else { return nil }
    enter(.ended(operation))
    return conclusion
  }

  /// The only assignment of the state; what has ended lets go of its items.
  private mutating func enter(_ next: State) {
    state = next
    guard case .ended = next else { return }
    items = []
    byteCount = 0
  }
}
