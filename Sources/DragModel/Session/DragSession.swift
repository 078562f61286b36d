/// One drag, from pick-up to conclusion, as a pure state machine: no bus, no clock, no disk.
///
/// ```
/// active ──beginDrop──▶ dropping ──endDrop──▶ ended     (a board takes the drop)
///    ├─────accept─────▶ dropping ──finish───▶ ended     (a client takes it)
///    └──cancel, connectionLeft, timeOut, shutDown, a drop that does nothing──▶ ended
/// ```
/// Items, representations and the two flags change only while it is active. It ends once: of all events exactly one
/// gives a ``DragConclusion``, and what ended stays so. What breaks off a drag breaks off a drop, too.
public struct DragSession: Sendable {
  /// Where a drag stands.
  public enum State: Hashable, Sendable {
    /// Being dragged; with the latest proposal.
    case active(proposal: DropProposal?)
    /// Being dropped: the destination is loading.
    case dropping(ActiveDrop)
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
  /// What a drop has asked for and got.
  var tally = TransferTally(asking: [])
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
    case .dropping(let drop): drop.operation
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
    try requireItems()
    try requireItem(item)
    try requireActive()
    try items[item].check(representation.type)
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

  /// Keeps the place of a representation, the next in fidelity, whose bytes are still being taken over.
  ///
  /// Until ``fulfil(_:item:)`` nobody sees it.
  public mutating func reserve(_ type: ContentType, item: Int) throws(DragError) {
    try requireItems()
    try requireItem(item)
    try requireActive()
    try items[item].reserve(type)
  }

  /// Puts a representation where its place has been kept.
  public mutating func fulfil(_ representation: Representation, item: Int) throws(DragError) {
    try requireActive()
    try requireItem(item)
    let total = try totalBytes(byteCount, adding: representation)
    // The place is gone where what kept it has been taken back.
    guard items[item].fulfil(representation) else { throw .sessionEnded }
    byteCount = total
  }

  /// Gives up a place that was kept, where the session still has it.
  public mutating func release(_ type: ContentType, item: Int) {
    guard items.indices.contains(item) else { return }
    items[item].release(type)
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

  func requireItem(_ item: Int) throws(DragError) {
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

  /// Counts bytes that a promise has given, or, where they are fewer than none, has taken back.
  ///
  /// - Throws: `DragError.limitExceeded` where the session may not hold so many; then nothing is counted.
  public mutating func countPromised(_ bytes: Int) throws(DragError) {
    if case .ended = state { return }
    guard bytes <= limits.maxSessionBytes - byteCount else {
      throw .limitExceeded(.sessionBytes, maximum: limits.maxSessionBytes)
    }
    byteCount += bytes
  }

  func requireItems() throws(DragError) {
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

  /// The drag is dropped on a board; of two drops the first wins.
  ///
  /// - Parameters:
  ///   - proposal: What the drop does.
  ///   - items: The indexes of those that it moves or copies.
  /// - Returns: What is to be done.
  /// - Throws: `DragError.sessionEnded`.
  public mutating func beginDrop(
    _ proposal: DropProposal, asking items: some Sequence<Int>
  ) throws(DragError) -> DropStart {
    try requireActive()
    let (next, start): (State, DropStart) =
      switch proposal.operation {
      case .copy, .move:
        (
          .dropping(
            ActiveDrop(
              operation: proposal.operation, destination: .board(proposal.destination))),
          .perform(proposal)
        )
      case .cancel, .forbidden: (.ended(.cancel), .conclude(.nothingDone))
      }
    enter(next, asking: items)
    return start
  }

  /// The drop on a board has been carried out.
  ///
  /// - Parameter loaded: The items that arrived; where none did, the drop has failed.
  /// - Returns: What is to be told; nil where the session was not, or no longer, being dropped.
  public mutating func endDrop(loaded: some Sequence<Int>) -> DragConclusion? {
    guard case .dropping(let drop) = state else { return nil }
    for item in loaded { tally.load(item) }
    return end(with: tally.isEmpty ? .cancel : drop.operation)
  }

  /// The source has called it off; a drop that is under way is broken off.
  public mutating func cancel() throws(DragError) -> DragConclusion {
    guard let conclusion = end(with: .cancel) else { throw .sessionEnded }
    return conclusion
  }

  /// A connection has left the bus.
  ///
  /// Where it alone was the source, that ends an active drag; where it alone had accepted the drop, that breaks it off. A drop on a
  /// board goes on without its source.
  public mutating func connectionLeft(_ uniqueName: String) -> DragConclusion? {
    let leaver = Application.uniqueName(uniqueName)
    return switch state {
    case .active where source == leaver: end(with: .cancel)
    case .dropping(let drop) where drop.client == leaver: end(with: .cancel)
    case .active, .dropping, .ended: nil
    }
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
  mutating func end(with operation: DropOperation) -> DragConclusion? {
    let conclusion: DragConclusion? =
      switch state {
      case .active: DragConclusion(willEnd: operation, transfer: nil, operation: operation)
      case .dropping:
        DragConclusion(willEnd: nil, transfer: tally.transfer, operation: operation)
      case .ended: nil
      }
    guard conclusion != nil else { return nil }
    enter(.ended(operation))
    return conclusion
  }

  /// The only assignment of the state; what has ended lets go of its items.
  mutating func enter(_ next: State, asking asked: some Sequence<Int> = EmptyCollection()) {
    state = next
    if case .dropping = next { tally = TransferTally(asking: asked) }
    guard case .ended = next else { return }
    items = []
    byteCount = 0
  }
}

extension DragConclusion {
  /// A drop that was cancelled or forbidden.
  static let nothingDone = DragConclusion(willEnd: .cancel, transfer: nil, operation: .cancel)
}
