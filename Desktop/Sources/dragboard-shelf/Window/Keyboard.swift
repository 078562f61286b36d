import CGtk4
import ShelfModel

/// The keys that move the cursor in a board's list.
struct Keyboard {
  private weak var page: BoardPage?

  /// Creates the keys of a page.
  init(_ page: BoardPage) { self.page = page }

  /// Handles keys before the widgets of the list handle them.
  func attach(to widget: Widget) {
    let keys = made(gtk_event_controller_key_new())
    gtk_event_controller_set_propagation_phase(keys, GTK_PHASE_CAPTURE)
    answer(keys, "key-pressed") { arguments in
      page?.surface.showFocus()
      let modifiers = GdkModifierType(rawValue: arguments.flags(3))
      return .handled(press(arguments.uint(1), modifiers))
    }
    gtk_widget_add_controller(widget, keys)
  }

  private func press(_ key: UInt32, _ modifiers: GdkModifierType) -> Bool {
    guard let page, !modifiers.contains(GDK_CONTROL_MASK), !modifiers.contains(GDK_ALT_MASK)
    else { return false }
    let isShift = modifiers.contains(GDK_SHIFT_MASK)
    switch Int32(bitPattern: key) {
    case GDK_KEY_Down: page.go(.rows(1), extending: isShift)
    case GDK_KEY_Up: page.go(.rows(-1), extending: isShift)
    case GDK_KEY_Page_Down: page.go(.rows(10), extending: isShift)
    case GDK_KEY_Page_Up: page.go(.rows(-10), extending: isShift)
    case GDK_KEY_Home: page.go(.first, extending: isShift)
    case GDK_KEY_End: page.go(.last, extending: isShift)
    case GDK_KEY_Left, GDK_KEY_Right:
      let isMirrored = gtk_widget_get_direction(page.widget) == GTK_TEXT_DIR_RTL
      return page.setStackAtCursor(open: (key == UInt32(GDK_KEY_Right)) != isMirrored)
    case GDK_KEY_space:
      gtk_widget_activate_action_variant(page.widget, "win.preview", nil)
    case GDK_KEY_Menu: page.openMenuAtCursor()
    case GDK_KEY_F10 where isShift: page.openMenuAtCursor()
    default: return false
    }
    return true
  }
}
