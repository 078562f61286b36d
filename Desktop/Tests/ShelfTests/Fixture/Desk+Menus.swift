import TestSupport

/// The actions of the shelf's menus, and its toasts.
extension Desk {
  /// Activates an action of the shelf's window, as a menu item does.
  func activate(_ action: String, _ target: String = "[]") throws {
    try run(
      "gdbus", "call", "--session", "--dest", "org.dragboard.Shelf", "--object-path",
      "/org/dragboard/Shelf/window/1", "--method", "org.gtk.Actions.Activate", action, target, "{}")
  }

  /// Clicks several points along the lower edge of the shelf's window, one of which is in the
  /// button of a toast.
  ///
  /// The button of a toast with more than two lines is higher.
  func pressButtonOfToast(at height: Int = 520) throws {
    var words = ["xdotool"]
    for x in stride(from: 190, through: 330, by: 14) {
      words += ["mousemove", "\(x)", "\(height)", "click", "1"]
    }
    try TestProgram.run(words, environment)
  }
}
