/// A drag that this client has begun.
public struct ActiveDrag: Sendable {
  /// The session.
  public let session: DragSession
  /// The events of the session from its beginning on, for one iteration.
  ///
  /// They end with the session, and throw `noDaemon` when the daemon leaves.
  public let events: Events<SessionEvent>

  /// The outcome of a drag.
  public struct Outcome: Hashable, Sendable {
    /// Copy, move or cancel.
    public var operation: DropOperation
    /// The items that arrived, by index.
    public var loaded: [Int] = []
    /// The items that were asked for and did not arrive, by index.
    public var failed: [Int] = []
  }

  /// Waits for the end of the drag.
  ///
  /// - Parameter observe: called with each event until then.
  /// - Returns: the outcome.
  /// - Throws: `noDaemon`, `disconnected`, `cancelled`.
  public func outcome(
    observing observe: (SessionEvent) -> Void = { _ in }
  ) async throws(DragboardError) -> Outcome {
    var outcome = Outcome(operation: .cancel)
    for try await event in events {
      observe(event)
      switch event {
      case .transferred(let loaded, let failed): (outcome.loaded, outcome.failed) = (loaded, failed)
      case .ended(let operation): outcome.operation = operation
      default: break
      }
    }
    return outcome
  }
}
