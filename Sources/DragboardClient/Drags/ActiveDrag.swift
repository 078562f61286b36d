/// A drag that this client has begun.
public struct ActiveDrag: Sendable {
  /// The session.
  public let session: DragSession
  /// The events of the session since its beginning.
  ///
  /// They can be iterated once.
  ///
  /// They end with the session, and throw `noDaemon` when the daemon leaves.
  public let events: Events<SessionEvent>

  /// The outcome of a drag.
  public struct Outcome: Hashable, Sendable {
    /// The operation: copy, move or cancel.
    public var operation: DropOperation
    /// The indexes of the items that arrived.
    public var loaded: [Int] = []
    /// The indexes of the items that were requested but did not arrive.
    public var failed: [Int] = []
    /// Whether the destination gave the drop back by ``AcceptedDrop/giveBack()``.
    ///
    /// The source can begin the drag again.
    public var isReturned = false
  }

  /// Waits for the end of the drag.
  ///
  /// - Parameter observe: called with each event until the end.
  /// - Returns: the outcome.
  /// - Throws: `noDaemon`, `disconnected`, `cancelled`.
  public func outcome(
    observing observe: (SessionEvent) -> Void = { _ in }
  ) async throws(DragboardError) -> Outcome {
    var outcome = Outcome(operation: .cancel)
    for try await event in events {
      observe(event)
      switch event {
      case .transferred(let loaded, let failed):
        (outcome.loaded, outcome.failed) = (loaded, failed)
        outcome.isReturned = loaded.isEmpty && failed.isEmpty
      case .ended(let operation):
        outcome.operation = operation
        if operation.transfers { outcome.isReturned = false }
      default: break
      }
    }
    return outcome
  }
}
