import CGtk4
import ShelfModel

/// The key bindings.
struct Keyboard {
  private weak var window: ShelfWindow?

  /// Creates the key bindings of a window.
  init(_ window: ShelfWindow) { self.window = window }

  /// Handles keys before the window's widgets do, except while text is being typed.
  func attach(to widget: Widget) {
    let keys = made(gtk_event_controller_key_new())
    gtk_event_controller_set_propagation_phase(keys, GTK_PHASE_CAPTURE)
    answer(keys, "key-pressed") { arguments in
      .handled(
        press(arguments.uint(1), GdkModifierType(rawValue: arguments.flags(3))))
    }
    gtk_widget_add_controller(widget, keys)
  }

  private func press(_ key: UInt32, _ modifiers: GdkModifierType) -> Bool {
    guard let window, let page = window.current, !window.isTyping else { return false }
    let isControl = modifiers.contains(GDK_CONTROL_MASK)
    let isShift = modifiers.contains(GDK_SHIFT_MASK)
    if isControl { return pressWithControl(Int32(bitPattern: key), isShift, page, window) }
    if modifiers.contains(GDK_ALT_MASK) { return pressWithAlt(Int32(bitPattern: key), page) }
    switch Int32(bitPattern: key) {
    case GDK_KEY_Down: page.go(.rows(1), extending: isShift)
    case GDK_KEY_Up: page.go(.rows(-1), extending: isShift)
    case GDK_KEY_Page_Down: page.go(.rows(10), extending: isShift)
    case GDK_KEY_Page_Up: page.go(.rows(-10), extending: isShift)
    case GDK_KEY_Home: page.go(.first, extending: isShift)
    case GDK_KEY_End: page.go(.last, extending: isShift)
    case GDK_KEY_Delete, GDK_KEY_KP_Delete: page.deleteSelection()
    case GDK_KEY_F2: window.editText()
    case GDK_KEY_Menu: window.openRowMenu()
    case GDK_KEY_F10 where isShift: window.openRowMenu()
    case GDK_KEY_Escape: window.escape()
    default: return false
    }
    return true
  }

  private func pressWithControl(
    _ key: Int32, _ isShift: Bool, _ page: BoardPage, _ window: ShelfWindow
  ) -> Bool {
    switch key {
    case GDK_KEY_z where !isShift: page.undo()
    case GDK_KEY_z, GDK_KEY_Z, GDK_KEY_y: page.redo()
    case GDK_KEY_c: page.copySelection()
    case GDK_KEY_v: page.paste()
    case GDK_KEY_f: window.setSearching(true)
    case GDK_KEY_a: page.selectAll()
    case GDK_KEY_w where window.isAtEdge: window.dismiss()
    case GDK_KEY_w, GDK_KEY_q: gtk_window_close(window.widget.of())
    default: return false
    }
    return true
  }

  private func pressWithAlt(_ key: Int32, _ page: BoardPage) -> Bool {
    switch key {
    case GDK_KEY_Down: page.moveSelection(down: true)
    case GDK_KEY_Up: page.moveSelection(down: false)
    default: return false
    }
    return true
  }
}
