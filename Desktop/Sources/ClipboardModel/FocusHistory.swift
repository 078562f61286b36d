/// The windows that have the focus, and those that had it a short time ago.
///
/// On Wayland, a copy does not name its program, but only the program with the focus can copy. The
/// focus may already have left the program when the copy is reported, so former windows count for a
/// time, too.
public struct FocusHistory: Sendable {
  /// The time for which a window counts after it has lost the focus.
  public static let memory = Duration.seconds(1)
  /// The maximum number of former windows, because a program can change its title without end.
  static let maxFormer = 1_024

  /// The windows that have the focus: one for each seat at most.
  public private(set) var focused: [FocusedWindow] = []
  /// The windows that have lost the focus, the latest last.
  ///
  /// A window whose application or title has changed is here, too, as it was before.
  private var former: [(window: FocusedWindow, end: ContinuousClock.Instant)] = []

  /// Creates a history in which no window has the focus.
  public init() {}

  /// Gives a window the focus, or replaces the application or the title of a window that has it.
  public mutating func focus(_ window: FocusedWindow, at time: ContinuousClock.Instant) {
    guard !focused.contains(window) else { return }
    blur(window.id, at: time)
    focused.append(window)
  }

  /// Takes the focus from a window; a window without it has no effect.
  public mutating func blur(_ id: String, at time: ContinuousClock.Instant) {
    guard let index = focused.firstIndex(where: { $0.id == id }) else { return }
    forgetFormer(at: time)
    if former.count == Self.maxFormer { former.removeFirst() }
    former.append((focused.remove(at: index), time))
  }

  /// Takes the focus from all windows except one.
  public mutating func blurOthers(than id: String?, at time: ContinuousClock.Instant) {
    for window in focused where window.id != id { blur(window.id, at: time) }
  }

  /// Returns the windows that can have made a copy at a time: those with the focus, then those that
  /// had it within ``memory``, the latest first.
  public func windows(at time: ContinuousClock.Instant) -> [FocusedWindow] {
    var windows = focused
    for (window, end) in former.reversed() where time - end <= Self.memory {
      if !windows.contains(window) { windows.append(window) }
    }
    return windows
  }

  private mutating func forgetFormer(at time: ContinuousClock.Instant) {
    if let first = former.firstIndex(where: { time - $0.end <= Self.memory }) {
      former.removeFirst(first)
    } else {
      former.removeAll()
    }
  }
}
