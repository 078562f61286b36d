import DBus

/// The script of KWin that reports the focused window and the open windows to the bridge.
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
    function call(...words) {
      callDBus("\(receiver)", "\(KWinFocus.path.text)", "\(KWinFocus.interface.text)", ...words)
    }
    function application(window) { return String(window.resourceClass || window.desktopFileName || "") }
    function report(window) {
      if (!window) return call("Focus", "", "", "")
      // The application may have had no name when the window was opened.
      reportOpen(window, true)
      call("Focus", String(window.internalId), application(window), String(window.caption))
    }
    function reportOpen(window, isOpen) {
      if (window.normalWindow || !isOpen) call("Open", String(window.internalId), application(window), isOpen)
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
    const isOld = !workspace.windowActivated;
    (isOld ? workspace.clientAdded : workspace.windowAdded).connect(window => reportOpen(window, true));
    (isOld ? workspace.clientRemoved : workspace.windowRemoved).connect(window => reportOpen(window, false))
    for (const window of isOld ? workspace.clientList() : workspace.windowList()) reportOpen(window, true)
    activate(workspace.windowActivated ? workspace.activeWindow : workspace.activeClient)

    """
  }
}
