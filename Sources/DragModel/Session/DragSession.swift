/// A drag from its beginning to its end, as a pure state machine: no bus, no clock, no disk.
///
/// ```
/// active ──beginDrop──▶ dropping ──endDrop──▶ ended     (a drop on a board)
///    ├─────accept─────▶ dropping ──finish───▶ ended     (a drop on a client)
///    └──cancel, connectionLeft, timeOut, shutDown, a cancelled drop──▶ ended
/// ```
/// A forbidden drop changes nothing: the drag can be dropped elsewhere.
///
/// Items, representations and the flags `allowsMove` and `isRestrictedToApplication` change only
/// while the session is active. A session ends exactly once: exactly one event returns a
/// ``DragConclusion``. An event that cancels a drag also cancels a drop in progress.
public struct DragSession: Sendable {
  /// The state of a drag.
  public enum State: Hashable, Sendable {
    /// The drag is in progress, with the latest proposal.
    case active(proposal: DropProposal?)
    /// The drop is in progress; the destination is loading.
    case dropping(ActiveDrop)
    /// The session has ended with copy, move or cancel.
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

  /// The application that drags.
  public let source: Application
  /// The board and rows of a drag of rows; nil for other drags.
  public let origin: DragOrigin?
  /// The current state.
  public private(set) var state = State.active(proposal: nil)
  /// The items and their bytes.
  var contents: SessionContents
  /// The items that a drop requested and received.
  var tally = TransferTally(asking: [])
  /// Whether a local drop may move the rows.
  public private(set) var allowsMove = true
  /// Whether only the source may drop.
  public private(set) var isRestrictedToApplication = false
  /// The machine on which the drag began, for display; empty for this machine.
  public private(set) var machine = Label.none

  /// Begins a drag without items.
  public init(source: Application, origin: DragOrigin? = nil, limits: SessionLimits) {
    self.source = source
    self.origin = origin
    contents = SessionContents(limits: limits)
  }

  /// The limits of the session.
  public var limits: SessionLimits { contents.limits }

  /// The dragged items; empty after the session has ended.
  public var items: [ItemProvider] { contents.items }

  /// The number of items, also after the session has ended.
  public var itemCount: Int { contents.itemCount }

  /// The number of stored bytes; 0 after the session has ended.
  public var byteCount: Int { contents.byteCount }

  /// The approximate memory that the items need, in bytes; 0 after the session has ended.
  public var memoryByteCount: Int { contents.memoryByteCount }

  /// The operation of the latest proposal, of the drop in progress, or of the end; nil before the
  /// first proposal.
  public var operation: DropOperation? {
    switch state {
    case .active(let proposal): proposal?.operation
    case .dropping(let drop): drop.operation
    case .ended(let operation): operation
    }
  }
}

// MARK: While the session is active

extension DragSession {
  /// Throws `DragError.sessionEnded` unless the session is active.
  public func requireActive() throws(DragError) {
    guard case .active = state else { throw .sessionEnded }
  }

  /// Appends all items or, if a limit would be exceeded, none.
  ///
  /// - Returns: The indexes of the new items.
  @discardableResult
  public mutating func add(_ newItems: [ItemProvider]) throws(DragError) -> Range<Int> {
    try requireActive()
    return try contents.add(newItems)
  }

  /// Appends an item.
  ///
  /// - Returns: The index of the new item.
  @discardableResult
  public mutating func add(_ item: ItemProvider) throws(DragError) -> Int {
    try add([item]).lowerBound
  }

  /// Appends a representation to an item, as the last in order of fidelity.
  public mutating func register(_ representation: Representation, item: Int) throws(DragError) {
    try requireChangeable(item)
    try contents.register(representation, item: item)
  }

  /// Changes the attributes of an item.
  public mutating func setAttributes(
    _ attributes: ItemAttributes, ofItem item: Int
  ) throws(DragError) {
    try requireChangeable(item)
    contents.setAttributes(attributes, ofItem: item)
  }

  /// Sets whether a local drop may move the rows.
  public mutating func setAllowsMove(_ allowed: Bool) throws(DragError) {
    try requireActive()
    allowsMove = allowed
  }

  /// Sets whether only the source may drop.
  public mutating func setRestrictedToApplication(_ restricted: Bool) throws(DragError) {
    try requireActive()
    isRestrictedToApplication = restricted
  }

  /// Sets the name of the machine on which the drag began.
  public mutating func setMachine(_ machine: Label) throws(DragError) {
    try requireActive()
    self.machine = machine
  }

  /// Reserves the next position for a representation whose bytes are still being received.
  ///
  /// The representation is invisible until ``fulfil(_:item:)``.
  public mutating func reserve(_ type: MIMEType, item: Int) throws(DragError) {
    try requireChangeable(item)
    try contents.reserve(type, item: item)
  }

  /// Stores a representation at its reserved position.
  public mutating func fulfil(_ representation: Representation, item: Int) throws(DragError) {
    try requireActive()
    try contents.fulfil(representation, item: item)
  }

  /// Removes a reserved position, if the session still has it.
  public mutating func release(_ type: MIMEType, item: Int) {
    contents.release(type, item: item)
  }

  /// Throws unless the item exists and the session is active.
  private func requireChangeable(_ item: Int) throws(DragError) {
    try requireItems()
    try contents.require(item)
    try requireActive()
  }
}

// MARK: Until the session has ended

extension DragSession {
  /// Returns an item; throws `DragError.sessionEnded` if the session has ended, which releases the
  /// items.
  public func item(_ index: Int) throws(DragError) -> ItemProvider {
    try requireItems()
    try contents.require(index)
    return items[index]
  }

  /// Returns whether a viewer sees a matching representation of any item; see ``ItemProvider`` for
  /// `reach`.
  public func canLoad(_ query: TypeQuery, within reach: Visibility) throws(DragError) -> Bool {
    try requireItems()
    return items.contains { $0.first(matching: query, within: reach) != nil }
  }

  /// Adds the bytes that a promise has received, and those of them that are in memory; negative
  /// numbers remove bytes.
  ///
  /// - Throws: `DragError.limitExceeded` if the session would exceed its limit; then the count is
  ///   unchanged.
  public mutating func countPromised(_ bytes: Int, memory: Int = 0) throws(DragError) {
    if case .ended = state { return }
    try contents.count(bytes, memory: memory)
  }

  func requireItems() throws(DragError) {
    if case .ended = state { throw .sessionEnded }
  }
}

// MARK: Events

extension DragSession {
  /// Records the latest proposal.
  public mutating func didPropose(_ proposal: DropProposal) throws(DragError) {
    try requireActive()
    enter(.active(proposal: proposal))
  }

  /// Begins a drop on a board; only the first drop of a session succeeds.
  ///
  /// - Parameters:
  ///   - proposal: The outcome of the drop.
  ///   - items: The indexes of the items to move or copy.
  /// - Returns: The next step.
  /// - Throws: `DragError.sessionEnded` if the session is not active.
  public mutating func beginDrop(
    _ proposal: DropProposal, asking items: some Sequence<Int>
  ) throws(DragError) -> DropStart {
    try requireActive()
    switch proposal.operation {
    case .copy, .move:
      let drop = ActiveDrop(
        operation: proposal.operation, destination: .board(proposal.destination))
      enter(.dropping(drop), asking: items)
      return .perform(proposal)
    case .cancel: return .conclude(try cancel())
    case .forbidden: return .forbid
    }
  }

  /// Ends a drop on a board after it was performed.
  ///
  /// - Parameter loaded: The items that arrived; if no item arrived, the drop has failed.
  /// - Returns: The signals to emit; nil if the session was not being dropped.
  public mutating func endDrop(loaded: some Sequence<Int>) -> DragConclusion? {
    guard case .dropping(let drop) = state else { return nil }
    for item in loaded { tally.load(item) }
    return end(with: tally.isEmpty ? .cancel : drop.operation)
  }

  /// Cancels the session, also during a drop.
  public mutating func cancel() throws(DragError) -> DragConclusion {
    guard let conclusion = end(with: .cancel) else { throw .sessionEnded }
    return conclusion
  }

  /// Handles the departure of a connection from the bus.
  ///
  /// An active drag ends if the connection is its source. A drop on a client ends if the connection
  /// is that client. A drop on a board continues without its source.
  public mutating func connectionLeft(_ uniqueName: String) -> DragConclusion? {
    let leaver = Application.uniqueName(uniqueName)
    return switch state {
    case .active where source == leaver: end(with: .cancel)
    case .dropping(let drop) where drop.client == leaver: end(with: .cancel)
    case .active, .dropping, .ended: nil
    }
  }

  /// Ends the session after its timeout.
  public mutating func timeOut() -> DragConclusion? {
    end(with: .cancel)
  }

  /// Ends the session because the daemon exits.
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

  /// Sets the state; a session that ends releases its items.
  ///
  /// No other function assigns the state.
  mutating func enter(_ next: State, asking asked: some Sequence<Int> = EmptyCollection()) {
    state = next
    if case .dropping = next { tally = TransferTally(asking: asked) }
    guard case .ended = next else { return }
    contents.removeAll()
  }
}
