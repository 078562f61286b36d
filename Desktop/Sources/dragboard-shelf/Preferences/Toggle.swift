import CGtk4

/// A GtkSwitch that distinguishes changes by the user from changes by the program.
final class Toggle {
  /// Called when the user has turned it on or off.
  var onChange: (Bool) -> Void = { _ in }
  private let widget: Widget
  private var isShowing = false

  /// Creates the toggle of a switch.
  init(_ widget: Widget) {
    self.widget = widget
    connect(widget, "notify::active") { [weak self] _ in
      guard let self, !isShowing else { return }
      onChange(gtk_switch_get_active(widget.opaque) != 0)
    }
  }

  /// Shows a state.
  func show(_ isOn: Bool) {
    isShowing = true
    gtk_switch_set_active(widget.opaque, isOn ? 1 : 0)
    isShowing = false
  }
}
