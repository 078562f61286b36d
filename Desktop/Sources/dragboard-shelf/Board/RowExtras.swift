import CGtk4
import CShelf
import ShelfModel

/// The end of a row: its marks, and the button of a stack.
///
/// Few rows show any of these parts, and a list creates 200 lines at the start. So a line creates
/// its parts only when it first shows one of them.
final class RowExtras {
  /// The visible parts.
  struct Parts: Equatable {
    /// Whether the row is pinned.
    var isPinned = false
    /// Whether the row can be changed and deleted.
    var isEditable = true
    /// Whether the row can be moved.
    var isMovable = true
    /// Whether the stack that begins at this row is open; nil if no stack begins here.
    ///
    /// Then the row has no button.
    var isOpen: Bool?
  }

  /// The parts, from left to right.
  let widget: Widget
  private let pin = made(gtk_image_new_from_icon_name("view-pin-symbolic"))
  private let lock = made(gtk_image_new())
  private let arrow = Make.button(
    icon: "pan-end-symbolic", label: localized("Open Stack"), classes: "flat", "circular")

  /// Creates the parts of a row.
  ///
  /// - Parameter toggle: called when the button of a stack is pressed.
  init(toggle: @escaping () -> Void) {
    for mark in [pin, lock] { gtk_widget_add_css_class(mark, "dim-label") }
    gtk_widget_set_tooltip_text(pin, localized("Stays when the other rows are deleted"))
    gtk_widget_set_valign(arrow, GTK_ALIGN_CENTER)
    connect(arrow, "clicked") { _ in toggle() }
    widget = Make.box(GTK_ORIENTATION_HORIZONTAL, spacing: 12, pin, lock, arrow)
  }

  /// Shows parts, and hides the others.
  func show(_ parts: Parts) {
    widget.show(parts != Parts())
    pin.show(parts.isPinned)
    lock.show(!parts.isEditable || !parts.isMovable)
    gtk_image_set_from_icon_name(
      lock.opaque, parts.isEditable ? "mark-location-symbolic" : "changes-prevent-symbolic")
    gtk_widget_set_tooltip_text(
      lock,
      parts.isEditable ? localized("Cannot be moved") : localized("Cannot be changed or deleted"))
    showArrow(isOpen: parts.isOpen)
  }

  private func showArrow(isOpen: Bool?) {
    arrow.show(isOpen != nil)
    guard let isOpen else { return }
    gtk_button_set_icon_name(arrow.of(), isOpen ? "pan-down-symbolic" : "pan-end-symbolic")
    let label = isOpen ? localized("Close Stack") : localized("Open Stack")
    gtk_widget_set_tooltip_text(arrow, label)
    shelf_set_accessible_label(arrow, label)
  }
}
