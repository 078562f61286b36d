/// The actions of the shelf's menus, and its toasts.
extension Desk {
  /// Does an action of the shelf's window, as its menu does.
  func activate(_ action: String, _ target: String = "[]") throws {
    try run(
      "gdbus", "call", "--session", "--dest", "org.dragboard.Shelf", "--object-path",
      "/org/dragboard/Shelf/window/1", "--method", "org.gtk.Actions.Activate", action, target, "{}")
  }

  /// Clicks along the lower edge of the shelf's window, where a toast has its button.
  func pressButtonOfToast() throws {
    var words = ["xdotool"]
    for x in stride(from: 190, through: 330, by: 14) {
      words += ["mousemove", "\(x)", "520", "click", "1"]
    }
    try Program.run(words, environment)
  }
}
