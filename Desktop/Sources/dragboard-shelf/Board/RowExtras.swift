import CGtk4
import CShelf
import ShelfModel

/// The end of a row: its marks, the button of a stack, and the controls of edit mode.
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
    /// The text of the row that edit mode can delete; nil without edit mode.
    var edited: String?
  }

  /// The parts, from left to right.
  let widget: Widget
  private let pin = made(gtk_image_new_from_icon_name("view-pin-symbolic"))
  private let lock = made(gtk_image_new())
  private let arrow = Make.button(
    icon: "pan-end-symbolic", label: localized("Open Stack"), classes: "flat", "circular")
  private let deleteButton = Make.button(
    icon: "user-trash-symbolic", label: localized("Delete"), classes: "flat", "circular")
  private let editing: Widget

  /// Creates the parts of a row.
  ///
  /// - Parameters:
  ///   - delete: called when the delete button is pressed.
  ///   - toggle: called when the button of a stack is pressed.
  init(delete: @escaping () -> Void, toggle: @escaping () -> Void) {
    let handle = made(gtk_image_new_from_icon_name("list-drag-handle-symbolic"))
    for mark in [pin, lock, handle] { gtk_widget_add_css_class(mark, "dim-label") }
    gtk_widget_set_tooltip_text(pin, localized("Stays when the other rows are deleted"))
    for part in [deleteButton, arrow] { gtk_widget_set_valign(part, GTK_ALIGN_CENTER) }
    connect(arrow, "clicked") { _ in toggle() }
    connect(deleteButton, "clicked") { _ in delete() }
    editing = Make.box(GTK_ORIENTATION_HORIZONTAL, spacing: 8, deleteButton, handle)
    widget = Make.box(GTK_ORIENTATION_HORIZONTAL, spacing: 12, pin, lock, arrow, editing)
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
    editing.show(parts.edited != nil)
    gtk_widget_set_sensitive(editing, parts.isEditable ? 1 : 0)
    if let text = parts.edited {
      shelf_set_accessible_label(deleteButton, localized("Delete %1", text))
    }
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
