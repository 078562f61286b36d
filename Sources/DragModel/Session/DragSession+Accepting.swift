// A drop on a client: the client accepts, loads the items that it wants, and finishes.

extension DragSession {
  /// Grants the drop to a client; only the first drop of a session succeeds.
  ///
  /// A copy is granted as copy. A move is granted as move if the client is the source application
  /// and the session allows moving, otherwise as copy. If the session is restricted to another
  /// application, the drop is forbidden and the session stays active.
  ///
  /// - Parameters:
  ///   - operation: The requested operation: copy or move.
  ///   - application: The client.
  /// - Returns: The granted operation, copy or move; or forbidden.
  /// - Throws: `DragError.sessionEnded` if the session is not active.
  public mutating func accept(
    _ operation: DropOperation, by application: Application
  ) throws(DragError) -> DropOperation {
    try requireActive()
    guard !isRestrictedToApplication || application == source else { return .forbidden }
    let granted: DropOperation =
      operation == .move && application == source && allowsMove ? .move : .copy
    enter(.dropping(ActiveDrop(operation: granted, destination: .client(application))), asking: [])
    return granted
  }

  /// Finishes the drop for the client that accepted it.
  ///
  /// - Throws: `DragError.sessionEnded` if the session has ended; `notDestination` if the caller
  ///   did not accept the drop.
  public mutating func finish(by caller: Caller) throws(DragError) -> DragConclusion {
    let drop = try drop(of: caller)
    guard let conclusion = end(with: drop.operation) else { throw .sessionEnded }
    return conclusion
  }

  /// Finishes the drop for a client that passes the items on, and knows which of them have arrived.
  ///
  /// - Parameters:
  ///   - caller: The client.
  ///   - loaded: The items that have arrived; if it is empty, the drop has failed.
  ///   - failed: The items that have not arrived.
  /// - Returns: The signals to emit.
  /// - Throws: the errors of ``finish(by:)``; `noSuchItem`.
  public mutating func finish(
    by caller: Caller, loaded: [Int], failed: [Int]
  ) throws(DragError) -> DragConclusion {
    let drop = try drop(of: caller)
    for list in [loaded, failed] {
      for item in list { try contents.require(item) }
    }
    tally = TransferTally(asking: failed)
    for item in loaded { tally.load(item) }
    guard let conclusion = end(with: tally.isEmpty ? .cancel : drop.operation) else {
      throw .sessionEnded
    }
    return conclusion
  }

  /// Returns the drop that a caller has accepted.
  private func drop(of caller: Caller) throws(DragError) -> ActiveDrop {
    try requireItems()
    guard case .dropping(let drop) = state, let client = drop.client, caller.counts(as: client)
    else { throw .notDestination }
    return drop
  }

  /// Returns the narrowest visibility of a representation that a caller may load.
  ///
  /// The source may load all representations; after the drop, the client that accepted it may load
  /// those that its application sees.
  ///
  /// If the source and this client are application ids, an unsandboxed caller may act as both. The
  /// caller then loads as the client.
  ///
  /// - Throws: `DragError.sessionEnded` if the session has ended; `notReadable` if the caller is
  ///   neither of them.
  public func loadReach(of caller: Caller) throws(DragError) -> Visibility {
    try requireItems()
    guard isDestination(caller) || caller.counts(as: source) else { throw .notReadable }
    return reach(of: caller)
  }

  /// Returns the narrowest visibility of the types that a caller sees.
  ///
  /// The client that accepted the drop sees the types as that client.
  public func reach(of caller: Caller) -> Visibility {
    if case .dropping(let drop) = state, let client = drop.client, isDestination(caller) {
      return .reach(of: client, into: source)
    }
    return .reach(of: caller, into: source)
  }

  /// Returns whether the caller acts as the client that accepted the drop.
  ///
  /// The connection of the source acts as the client only if it accepted the drop itself.
  private func isDestination(_ caller: Caller) -> Bool {
    guard case .dropping(let drop) = state, let client = drop.client, caller.counts(as: client)
    else { return false }
    return client == source || source != .uniqueName(caller.uniqueName)
  }

  /// Returns the representation that a caller wants to load.
  ///
  /// - Throws: the errors of ``loadReach(of:)``; `noSuchItem` if the item does not exist;
  ///   `noSuchRepresentation` if the caller sees no matching representation.
  public func representation(
    of item: Int, matching query: TypeQuery, for caller: Caller
  ) throws(DragError) -> Representation {
    let reach = try loadReach(of: caller)
    guard let found = try self.item(item).first(matching: query, within: reach) else {
      throw .noSuchRepresentation(query, item: item)
    }
    return found
  }

  /// Returns the representation that the client that accepted the drop wants to load itself from its
  /// source.
  ///
  /// - Throws: the errors of ``representation(of:matching:for:)``; `notDestination` if the caller did
  ///   not accept the drop.
  public func passedRepresentation(
    of item: Int, matching query: TypeQuery, for caller: Caller
  ) throws(DragError) -> Representation {
    try requireItems()
    guard isDestination(caller) else { throw .notDestination }
    return try representation(of: item, matching: query, for: caller)
  }

  /// Records that the client that accepted the drop requested an item; ignores other callers.
  public mutating func ask(_ item: Int, by caller: Caller) {
    note(caller) { $0.ask(item) }
  }

  /// Records that the client that accepted the drop received a representation of an item; ignores
  /// other callers.
  public mutating func didLoad(_ item: Int, by caller: Caller) {
    note(caller) { $0.load(item) }
  }

  private mutating func note(_ caller: Caller, _ body: (inout TransferTally) -> Void) {
    if isDestination(caller) { body(&tally) }
  }
}
