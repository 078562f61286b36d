import CGtk4
import CShelf
import ShelfModel

/// A short message at the lower edge of the window.
enum Toast {
  /// A button of a toast.
  struct Button {
    /// The label.
    let label: String
    /// Called when it is pressed.
    let action: () -> Void
  }

  /// Sets the names of the icon buttons of all toasts that an overlay will show.
  static func nameButtons(in overlay: Widget) {
    let children = made(gtk_widget_observe_children(overlay))
    connect(children, "items-changed") { [overlay] _ in
      shelf_name_icon_buttons(gtk_widget_get_last_child(overlay), localized("Close"))
    }
  }

  /// Shows a message for some seconds, and for longer if it has a button.
  static func show(_ text: String, _ button: Button?, in overlay: Widget) {
    adw_toast_overlay_add_toast(overlay.opaque, make(text, button))
  }

  /// Returns a toast with a message, for a widget that shows it.
  static func make(_ text: String, _ button: Button?) -> OpaquePointer {
    let toast = made(adw_toast_new(""))
    // The title of a toast is limited to one line, so use a label.
    let label = Make.label(text, classes: "heading")
    gtk_label_set_wrap(label.opaque, 1)
    gtk_label_set_wrap_mode(label.opaque, PANGO_WRAP_WORD_CHAR)
    adw_toast_set_custom_title(toast, label)
    adw_toast_set_timeout(toast, button == nil ? 4 : 8)
    if let button {
      adw_toast_set_button_label(toast, button.label.doublingUnderscores)
      connect(toast, "button-clicked") { _ in button.action() }
    }
    return toast
  }
}
