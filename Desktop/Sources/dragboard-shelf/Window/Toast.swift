import CGtk4

/// A short message at the lower edge of the window, which disappears after a while.
final class Toast {
  /// The overlay over the window's contents.
  let widget = made(gtk_revealer_new())
  private let label = Make.label(classes: "toast")
  private var end: Timer?

  /// Creates a hidden message.
  init() {
    gtk_revealer_set_child(widget.opaque, label)
    gtk_revealer_set_transition_type(widget.opaque, GTK_REVEALER_TRANSITION_TYPE_SLIDE_UP)
    gtk_widget_set_halign(widget, GTK_ALIGN_CENTER)
    gtk_widget_set_valign(widget, GTK_ALIGN_END)
    gtk_widget_set_can_target(widget, 0)
    gtk_label_set_wrap(label.opaque, 1)
    widget.setMargins(vertical: 18, horizontal: 18)
  }

  /// Shows a message.
  func show(_ text: String) {
    gtk_label_set_text(label.opaque, text)
    gtk_revealer_set_reveal_child(widget.opaque, 1)
    end?.cancel()
    end = MainLoop.after(.seconds(5)) { [weak self] in
      if let self { gtk_revealer_set_reveal_child(widget.opaque, 0) }
    }
  }
}
