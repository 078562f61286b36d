import ClipboardModel

/// The focus of a display that reports each change.
@ClipboardActor final class FocusWatch: FocusSource {
  let name: String?
  private var history = FocusHistory()
  /// The applications of the open windows, by the ids of the windows.
  private var applications: [String: String] = [:]
  private(set) var recentApplications = RecentApplications()
  /// The last time at which a window without the focus got it.
  private(set) var lastFocused = ContinuousClock.now
  /// Called when a window has changed.
  var onChange: () -> Void = {}

  /// Creates a watch that no window has been reported to.
  init(_ name: String) { self.name = name }

  /// The window that has the focus; nil if none has it.
  var focused: FocusedWindow? { history.focused.last }

  /// The programs of all windows that are known to be open.
  var openPrograms: [ProgramNames] {
    Set(applications.values).map { ProgramNames(applicationID: $0) }
  }

  /// Records a report about a window.
  func handle(_ window: FocusedWindow, isFocused: Bool, isOpen: Bool = true) {
    applications[window.id] = isOpen ? window.application : nil
    if isFocused { focus(window) } else { history.blur(window.id, at: .now) }
    onChange()
  }

  /// Records that a window has the focus, and no other window; or none, if it is nil.
  func handle(onlyFocused window: FocusedWindow?) {
    history.blurOthers(than: window?.id, at: .now)
    if let window { focus(window) }
    onChange()
  }

  /// Records that a window has opened or closed.
  func handle(_ window: String, of application: String, isOpen: Bool) {
    applications[window] = isOpen ? application : nil
  }

  /// Forgets the focus and all open windows, because the display does not report them any more.
  func forget() {
    applications = [:]
    handle(onlyFocused: nil)
  }

  private func focus(_ window: FocusedWindow) {
    if !history.focused.contains(where: { $0.id == window.id }) { lastFocused = .now }
    history.focus(window, at: .now)
    recentApplications.note(window.application)
  }

  /// Returns the windows that can have made a copy at a time.
  func windows(at time: ContinuousClock.Instant) -> [FocusedWindow] { history.windows(at: time) }

  func windowsOfCopy(_ completion: @escaping (Result<[FocusedWindow], ReadError>) -> Void) {
    completion(.success(windows(at: .now)))
  }
}
