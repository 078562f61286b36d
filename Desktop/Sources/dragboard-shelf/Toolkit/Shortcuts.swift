import CGtk4

/// The keys of actions, which the keyboard and the menus share.
enum Shortcuts {
  private static let keys: KeyValuePairs = [
    "win.copy": "<Control>c|<Control>Insert", "win.paste": "<Control>v|<Shift>Insert",
    "win.delete": "Delete|KP_Delete", "win.edit": "F2", "win.preview": "space",
    "win.select-all": "<Control>a",
    "win.pick-up": "<Control>d", "win.put-down": "<Control><Shift>d",
    "win.stack": "<Control>g", "win.unstack": "<Control><Shift>g",
    "win.undo": "<Control>z", "win.redo": "<Control><Shift>z|<Control>y",
    "win.move-up": "<Alt>Up", "win.move-down": "<Alt>Down", "win.search": "<Control>f",
    "win.new-board": "<Control>n", "win.escape": "Escape", "win.close": "<Control>w",
    "app.settings": "<Control>comma", "win.show-help-overlay": "<Control>question",
    "window.close": "<Control>q",
  ]

  /// Returns the key of an action for a menu; nil if the action has no key.
  static func key(of action: String) -> String? {
    keys.first { $0.key == action }.map { String($0.value.prefix { $0 != "|" }) }
  }

  /// Lets the keys activate their actions, unless the widget with the focus handles them.
  static func attach(to window: Widget) {
    let controller = made(gtk_shortcut_controller_new())
    for (action, keys) in keys {
      gtk_shortcut_controller_add_shortcut(
        controller.opaque,
        gtk_shortcut_new(gtk_shortcut_trigger_parse_string(keys), gtk_named_action_new(action)))
    }
    gtk_widget_add_controller(window, controller)
  }
}
