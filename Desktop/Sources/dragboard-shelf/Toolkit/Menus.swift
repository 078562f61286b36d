import CGtk4

/// A GMenu: sections of entries.
struct Menu {
  /// One entry of a menu.
  enum Entry {
    /// Activates an action, which is written with its target: `win.pin`, `app.edge::left`.
    case action(String, String)
    /// Opens another menu.
    case submenu(String, Menu)
  }

  /// The entries by sections; empty sections are omitted.
  var sections: [[Entry]]

  /// Returns the GMenuModel with a reference for the caller.
  func model() -> OpaquePointer {
    let menu = made(g_menu_new())
    for entries in sections where !entries.isEmpty {
      let section = made(g_menu_new())
      for entry in entries { Self.append(entry, to: section) }
      g_menu_append_section(menu, nil, section.of())
      g_object_unref(section.object)
    }
    return menu
  }

  /// Returns a new popover of the menu.
  ///
  /// Each submenu is a separate popover. If it were a page that slides in, then after the user has
  /// chosen one of its entries, GTK 4.8 would not pass any keys to the window.
  func popover() -> Widget {
    let model = model()
    defer { g_object_unref(model.object) }
    return made(gtk_popover_menu_new_from_model_full(model.of(), GTK_POPOVER_MENU_NESTED))
  }

  private static func append(_ entry: Entry, to menu: OpaquePointer) {
    switch entry {
    case .action(let label, let action):
      let item = made(g_menu_item_new(label, action))
      if let key = Shortcuts.key(of: action) {
        g_menu_item_set_attribute_value(item, "accel", g_variant_new_string(key))
      }
      g_menu_append_item(menu, item)
      g_object_unref(item.object)
    case .submenu(let label, let other):
      let model = other.model()
      g_menu_append_submenu(menu, label, model.of())
      g_object_unref(model.object)
    }
  }
}

/// The actions of a window or an application.
final class Actions {
  private let map: OpaquePointer
  private var actions: [String: OpaquePointer] = [:]

  /// Creates the actions of a GActionMap, which retains them.
  init(of map: OpaquePointer) { self.map = map }

  /// Adds an action without a target.
  func add(_ name: String, _ body: @escaping () -> Void) {
    add(name, made(g_simple_action_new(name, nil))) { _ in body() }
  }

  /// Adds an action with a number as its target: `win.move-to-section(uint32 1)`.
  func add(_ name: String, onNumber body: @escaping (Int) -> Void) {
    let type = g_variant_type_new("u")
    defer { g_variant_type_free(type) }
    add(name, made(g_simple_action_new(name, type))) { body(Int($0.number(ofVariant: 1) ?? 0)) }
  }

  /// Adds an action that is a switch, which a menu shows with a check mark.
  func add(switch name: String, _ body: @escaping () -> Void) {
    let action = made(g_simple_action_new_stateful(name, nil, g_variant_new_boolean(0)))
    add(name, action) { _ in body() }
  }

  private func add(
    _ name: String, _ action: OpaquePointer, _ body: @escaping (SignalArguments) -> Void
  ) {
    connect(action, "activate", body)
    g_action_map_add_action(map, action)
    g_object_unref(action.object)
    actions[name] = action
  }

  /// Enables or disables an action.
  func enable(_ name: String, _ isEnabled: Bool) {
    if let action = actions[name] { g_simple_action_set_enabled(action, isEnabled ? 1 : 0) }
  }

  /// Turns a switch on or off.
  func set(_ name: String, _ isOn: Bool) {
    if let action = actions[name] {
      g_simple_action_set_state(action, g_variant_new_boolean(isOn ? 1 : 0))
    }
  }
}

extension String {
  /// The text with doubled underscores, because a label treats a single underscore as the mark of a
  /// mnemonic.
  var doublingUnderscores: String {
    split(separator: "_", omittingEmptySubsequences: false).joined(separator: "__")
  }
}
