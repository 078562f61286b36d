/// The state of a shelf that opens by itself, at the screen's edge or beside the pointer.
///
/// The shelf is open while it has a reason to be open, and for a short time afterwards. The type is
/// a pure value: it returns actions, and the caller reports the end of the delay.
public struct EdgeDrawer: Hashable, Sendable {
  /// A reason to stay open.
  public enum Reason: Hashable, Sendable {
    /// The pointer is in the shelf.
    case pointer
    /// A drag is over the shelf.
    case drag
    /// The shelf has the keyboard focus.
    case keyboard
    /// A drag from the shelf is in progress. Its window must not close during the drag.
    case carrying
    /// A drag of another program is in progress anywhere on the screen.
    case begun
  }

  /// The action to perform.
  public enum Action: Hashable, Sendable {
    /// Open the shelf.
    case open
    /// Call `timePassed` after a delay. It closes the shelf if there is no reason to stay open by
    /// then.
    case closeLater
  }

  /// Whether the shelf is open.
  public private(set) var isOpen = false
  private var reasons: Set<Reason> = []

  /// Creates a closed shelf.
  public init() {}

  /// Adds or removes a reason.
  ///
  /// - Returns: the action to perform; nil for none.
  public mutating func set(_ reason: Reason, _ holds: Bool) -> Action? {
    if holds {
      reasons.insert(reason)
      guard !isOpen else { return nil }
      isOpen = true
      return .open
    }
    guard reasons.remove(reason) != nil else { return nil }
    return isOpen && reasons.isEmpty ? .closeLater : nil
  }

  /// Handles the end of the delay; returns whether the shelf closes.
  public mutating func timePassed() -> Bool {
    guard isOpen, reasons.isEmpty else { return false }
    isOpen = false
    return true
  }

  /// Closes the shelf at the user's request.
  ///
  /// The present reasons no longer keep the shelf open; a new reason opens it again.
  public mutating func dismiss() {
    reasons = []
    isOpen = false
  }
}
