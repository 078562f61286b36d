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
      // The first child is the content below the toasts. It remains last when a toast has gone.
      let last = gtk_widget_get_last_child(overlay)
      guard last != gtk_widget_get_first_child(overlay) else { return }
      shelf_name_icon_buttons(last, localized("Close"))
    }
  }

  /// Shows a message for some seconds, and for longer if it has a button.
  static func show(_ text: String, _ button: Button?, in overlay: Widget) {
    adw_toast_overlay_add_toast(overlay.opaque, make(text, button))
  }

  /// Returns a toast with a message, for a widget that shows it.
  static func make(_ text: String, _ button: Button?) -> OpaquePointer {
    let toast = made(adw_toast_new(""))
    adw_toast_set_custom_title(toast, title(text))
    adw_toast_set_timeout(toast, button == nil ? 4 : 8)
    if let button {
      adw_toast_set_button_label(toast, button.label.doublingUnderscores)
      connect(toast, "button-clicked") { _ in button.action() }
    }
    return toast
  }

  /// Returns a title that wraps; the title of libadwaita is limited to one line.
  private static func title(_ text: String) -> Widget {
    let label = Make.label(text, classes: "heading")
    gtk_label_set_wrap(label.opaque, 1)
    gtk_label_set_wrap_mode(label.opaque, PANGO_WRAP_WORD_CHAR)
    gtk_widget_set_hexpand(label, 1)
    let title = made(adw_clamp_new())
    adw_clamp_set_child(title.opaque, label)
    connect(title, "map") { _ in fit(title) }
    return title
  }

  /// Limits the width of a title to the width that the buttons of its toast leave in the window.
  ///
  /// The overlay gives a toast the height for its natural width, even if the window is narrower. So
  /// a wider title would have too few lines, and would push the buttons out of the window.
  private static func fit(_ title: Widget) {
    guard let overlay = gtk_widget_get_ancestor(title, adw_toast_overlay_get_type()) else { return }
    var toast = title
    while let parent = gtk_widget_get_parent(toast), parent != overlay { toast = parent }
    let others = naturalWidth(of: toast) - naturalWidth(of: title)
    let width = max(gtk_widget_get_width(overlay) - others, minTitleWidth)
    adw_clamp_set_maximum_size(title.opaque, width)
    // Up to this width, the title gets its natural width.
    adw_clamp_set_tightening_threshold(title.opaque, width)
  }

  private static func naturalWidth(of widget: Widget) -> Int32 {
    var width: Int32 = 0
    gtk_widget_measure(widget, GTK_ORIENTATION_HORIZONTAL, -1, nil, &width, nil, nil)
    return width
  }

  private static let minTitleWidth: Int32 = 80
}
