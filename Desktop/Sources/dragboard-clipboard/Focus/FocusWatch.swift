import ClipboardModel

/// The focus of a display that reports each change.
@ClipboardActor final class FocusWatch: FocusSource {
  private var history = FocusHistory()
  /// Called when another window has the focus, or when its application or its title has changed.
  var onChange: () -> Void = {}

  /// The window that has the focus; nil if none has it.
  var focused: FocusedWindow? { history.focused.last }

  /// Records a report about a window.
  func handle(_ window: FocusedWindow, isFocused: Bool) {
    if isFocused { history.focus(window, at: .now) } else { history.blur(window.id, at: .now) }
    onChange()
  }

  /// Records that a window has the focus, and no other window; or none, if it is nil.
  func handle(onlyFocused window: FocusedWindow?) {
    history.blurOthers(than: window?.id, at: .now)
    if let window { history.focus(window, at: .now) }
    onChange()
  }

  /// The windows that can have made a copy now.
  var windows: [FocusedWindow] { history.windows(at: .now) }

  func windowsOfCopy(_ completion: @escaping (Result<[FocusedWindow], ReadError>) -> Void) {
    completion(.success(windows))
  }
}
