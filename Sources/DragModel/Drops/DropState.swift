/// The stages of a drop on a board, as a pure state machine.
///
/// ```
/// gathering ──all items inspected, all representations settled──▶ storing ──▶ over
///     └─────────────── the session ends, the board is deleted ───────────────▶ over
/// ```
/// A representation is *settled* when it has arrived or failed.
public struct DropState: Hashable, Sendable {
  private enum Stage: Hashable {
    /// Items are inspected, and representations are loaded.
    case gathering(unsettled: Int, isInspecting: Bool)
    /// The contents are stored and the rows inserted.
    case storing
    case over
  }

  /// The next step of the drop.
  public enum Action: Hashable, Sendable {
    /// Wait for the next event.
    case wait
    /// Store the representations that have arrived, because all are settled.
    case store
  }

  private var stage = Stage.gathering(unsettled: 0, isInspecting: true)

  /// Creates the state of a drop that has just begun.
  public init() {}

  /// Whether the drop has ended.
  public var isOver: Bool { stage == .over }

  /// Handles the inspection of more items.
  ///
  /// - Parameters:
  ///   - more: The number of representations of these items that must be loaded.
  ///   - isLast: Whether all items have been inspected.
  /// - Returns: The next step of the drop.
  public mutating func inspected(unsettled more: Int, isLast: Bool) -> Action {
    guard case .gathering(let unsettled, true) = stage else { return .wait }
    return gather(unsettled: unsettled + more, isInspecting: !isLast)
  }

  /// Handles a representation that has arrived or failed.
  public mutating func settled() -> Action {
    guard case .gathering(let unsettled, let isInspecting) = stage else { return .wait }
    return gather(unsettled: unsettled - 1, isInspecting: isInspecting)
  }

  /// Ends the drop, even if representations are missing.
  ///
  /// - Returns: False if the drop has ended before.
  public mutating func end() -> Bool {
    guard stage != .over else { return false }
    stage = .over
    return true
  }

  private mutating func gather(unsettled: Int, isInspecting: Bool) -> Action {
    let isComplete = unsettled == 0 && !isInspecting
    stage = isComplete ? .storing : .gathering(unsettled: unsettled, isInspecting: isInspecting)
    return isComplete ? .store : .wait
  }
}
