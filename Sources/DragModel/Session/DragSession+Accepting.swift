// A client takes the drop itself: it accepts, loads what it wants, and finishes.

extension DragSession {
  /// A client takes the drop; of two drops the first wins.
  ///
  /// Copy is granted for copy; for move, move where the client is the source application and moving is allowed, else copy.
  ///
  /// - Parameters:
  ///   - operation: What the client wants to do: copy or move.
  ///   - application: Who takes it.
  /// - Returns: What is granted, or that the drop is forbidden, which ends the session.
  /// - Throws: `DragError.sessionEnded`.
  public mutating func accept(
    _ operation: DropOperation, by application: Application
  ) throws(DragError) -> DropAcceptance {
    try requireActive()
    guard !isRestrictedToApplication || application == source else {
      enter(.ended(.cancel))
      return .conclude(.nothingDone)
    }
    let granted: DropOperation =
      operation == .move && application == source && allowsMove ? .move : .copy
    enter(.dropping(ActiveDrop(operation: granted, destination: .client(application))), asking: [])
    return .grant(granted)
  }

  /// The client that accepted has all that it wants.
  ///
  /// - Throws: `DragError.sessionEnded`, or `notDestination` for anybody else.
  public mutating func finish(by caller: Caller) throws(DragError) -> DragConclusion {
    try requireItems()
    guard case .dropping(let drop) = state, let client = drop.client, caller.counts(as: client),
      let conclusion = end(with: drop.operation)
    else { throw .notDestination }
    return conclusion
  }

  /// The narrowest visibility of which a caller may have the bytes: after the drop, for the client that took it, of what its
  /// application may see; of everything for the source.
  ///
  /// Without a sandbox a caller counts as both where both go by ids: then it loads as the client.
  ///
  /// - Throws: `DragError.sessionEnded`, or `notReadable` for anybody else.
  public func loadReach(of caller: Caller) throws(DragError) -> Visibility {
    try requireItems()
    guard isDestination(caller) || caller.counts(as: source) else { throw .notReadable }
    return reach(of: caller)
  }

  /// The narrowest visibility of which a caller may see the types: as the client that took the drop, where it counts as it.
  public func reach(of caller: Caller) -> Visibility {
    if case .dropping(let drop) = state, let client = drop.client, isDestination(caller) {
      return .reach(of: client, into: source)
    }
    return .reach(of: caller, into: source)
  }

  /// Whether the caller acts as the client that took the drop; the one connection that drags does not, unless it took it itself.
  private func isDestination(_ caller: Caller) -> Bool {
    guard case .dropping(let drop) = state, let client = drop.client, caller.counts(as: client)
    else { return false }
    return client == source || source != .uniqueName(caller.uniqueName)
  }

  /// The representation that a caller asks the bytes of.
  ///
  /// - Throws: as ``loadReach(of:)``; `noSuchItem`; `noSuchRepresentation`.
  public func representation(
    of item: Int, matching query: TypeQuery, for caller: Caller
  ) throws(DragError) -> Representation {
    let reach = try loadReach(of: caller)
    guard let found = try self.item(item).first(matching: query, within: reach) else {
      throw .noSuchRepresentation(query, item: item)
    }
    return found
  }

  /// The client that took the drop asks for an item; what others ask for is not noted.
  public mutating func ask(_ item: Int, by caller: Caller) {
    note(caller) { $0.ask(item) }
  }

  /// The client that took the drop has got something of an item.
  public mutating func didLoad(_ item: Int, by caller: Caller) {
    note(caller) { $0.load(item) }
  }

  private mutating func note(_ caller: Caller, _ body: (inout TransferTally) -> Void) {
    if isDestination(caller) { body(&tally) }
  }
}
