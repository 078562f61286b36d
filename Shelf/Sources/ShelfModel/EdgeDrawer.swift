/// Whether a shelf at the screen's edge is open: as long as there is a reason, and a little longer.
///
/// Pure: it says what to do, and is told when the time has passed.
public struct EdgeDrawer: Hashable, Sendable {
  /// What keeps it open.
  public enum Reason: Hashable, Sendable {
    /// The pointer is in it.
    case pointer
    /// A drag is over it.
    case drag
    /// It has the keyboard.
    case keyboard
    /// Something is dragged out of it: its window must not go from under the drag.
    case carrying
  }

  /// What is to be done.
  public enum Action: Hashable, Sendable {
    /// It opens.
    case open
    /// It closes when some time has passed, unless there is a reason again: `timePassed` tells.
    case closeLater
  }

  /// Whether it is open.
  public private(set) var isOpen = false
  private var reasons: Set<Reason> = []

  /// A closed one.
  public init() {}

  /// A reason has come, or has gone; gives what is to be done, nil for nothing.
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

  /// The time has passed; gives whether it closes.
  public mutating func timePassed() -> Bool {
    guard isOpen, reasons.isEmpty else { return false }
    isOpen = false
    return true
  }

  /// A person closes it, whatever reasons there are: only a new one opens it again.
  public mutating func dismiss() {
    reasons = []
    isOpen = false
  }
}
