import CGtk4
import CShelf
import ShelfModel

/// The strip at the lower edge of the window for drags without a pointer.
///
/// It says what is picked up, and what a drop would do or has done. Screen readers speak its text.
final class PickUpStrip {
  /// The revealer, which is open while there is a message.
  let widget = made(gtk_revealer_new())
  /// Called when the button for the drop is pressed.
  var onPut: () -> Void = {}
  /// Called when the button for the cancellation is pressed.
  var onCancel: () -> Void = {}
  private let label = made(shelf_message_new())
  private let buttons: Widget
  private var closing: Timer?

  /// The time for which a result is shown.
  private static let resultTime = Duration.seconds(6)

  /// Creates a closed strip.
  init() {
    buttons = Make.box(GTK_ORIENTATION_HORIZONTAL, spacing: 6)
    let box = Make.box(GTK_ORIENTATION_HORIZONTAL, spacing: 12, label, buttons)
    gtk_widget_add_css_class(box, "transfers")
    gtk_widget_set_hexpand(label, 1)
    gtk_revealer_set_child(widget.opaque, box)
    gtk_revealer_set_transition_type(widget.opaque, GTK_REVEALER_TRANSITION_TYPE_SLIDE_UP)
    let put = Make.button(localized("Put Down")) { [weak self] in self?.onPut() }
    let cancel = Make.button(localized("Cancel")) { [weak self] in self?.onCancel() }
    for button in [put, cancel] {
      gtk_widget_set_valign(button, GTK_ALIGN_CENTER)
      // The keyboard stays in the list.
      gtk_widget_set_focus_on_click(button, 0)
      gtk_box_append(buttons.of(), button)
    }
  }

  /// Shows and announces a message.
  ///
  /// - Parameters:
  ///   - text: the message.
  ///   - isHolding: whether rows are picked up. Then the strip stays open, with its buttons.
  func show(_ text: String, isHolding: Bool = false) {
    closing?.cancel()
    gtk_label_set_text(label.opaque, text)
    buttons.show(isHolding)
    gtk_revealer_set_reveal_child(widget.opaque, 1)
    shelf_announce(widget, text)
    guard !isHolding else { return }
    closing = MainLoop.after(Self.resultTime) { [weak self] in
      if let self { gtk_revealer_set_reveal_child(widget.opaque, 0) }
    }
  }
}
