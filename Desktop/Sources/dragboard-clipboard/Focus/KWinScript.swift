import DBus

/// The script of KWin that reports the focused window to the bridge.
///
/// KWin has no protocol for this, but runs scripts. `workspace` has other names in KWin 5.
enum KWinScript {
  /// The name by which KWin knows the script.
  static let name = "dragboard-focus"

  /// Returns the text of the script.
  ///
  /// - Parameter receiver: the unique name of the bridge on the bus. A well-known name could get
  ///   another owner, who would learn of each window.
  /// - Returns: the text, in JavaScript.
  static func text(receiver: String) -> String {
    """
    let current = null
    function report(window) {
      callDBus("\(receiver)", "\(KWinFocus.path.text)", "\(KWinFocus.interface.text)", "Focus",
               window ? String(window.internalId) : "",
               window ? String(window.resourceClass || window.desktopFileName || "") : "",
               window ? String(window.caption) : "")
    }
    function change() { report(current) }
    function activate(window) {
      if (current) {
        try {
          current.captionChanged.disconnect(change)
        } catch (error) {
          // The window is closed.
        }
      }
      current = window
      if (current) current.captionChanged.connect(change)
      report(current)
    }
    (workspace.windowActivated || workspace.clientActivated).connect(activate)
    activate(workspace.windowActivated ? workspace.activeWindow : workspace.activeClient)

    """
  }
}
