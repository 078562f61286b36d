import ClipboardModel

/// The focus of a display that reports each change.
@ClipboardActor final class FocusWatch: FocusSource {
  let name: String?
  private var history = FocusHistory()
  private(set) var recentApplications = RecentApplications()
  /// Called when another window has the focus, or when its application or its title has changed.
  var onChange: () -> Void = {}

  /// Creates a watch that no window has been reported to.
  init(_ name: String) { self.name = name }

  /// The window that has the focus; nil if none has it.
  var focused: FocusedWindow? { history.focused.last }

  /// Records a report about a window.
  func handle(_ window: FocusedWindow, isFocused: Bool) {
    if isFocused { focus(window) } else { history.blur(window.id, at: .now) }
    onChange()
  }

  /// Records that a window has the focus, and no other window; or none, if it is nil.
  func handle(onlyFocused window: FocusedWindow?) {
    history.blurOthers(than: window?.id, at: .now)
    if let window { focus(window) }
    onChange()
  }

  private func focus(_ window: FocusedWindow) {
    history.focus(window, at: .now)
    recentApplications.note(window.application)
  }

  /// Returns the windows that can have made a copy at a time.
  func windows(at time: ContinuousClock.Instant) -> [FocusedWindow] { history.windows(at: time) }

  func windowsOfCopy(_ completion: @escaping (Result<[FocusedWindow], ReadError>) -> Void) {
    completion(.success(windows(at: .now)))
  }
}
