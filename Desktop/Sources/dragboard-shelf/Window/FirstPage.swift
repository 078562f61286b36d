import CGtk4
import CShelf
import DragboardClient
import ShelfModel

/// The questions of the first start, above the boards: which parts are on, and which shortcut opens the
/// shelf.
///
/// They are those of `dragboard setup`. A switch shows the present state, and nothing changes without an
/// answer. The boards below can be used at once.
final class FirstPage {
  /// The revealer, which is open until the user has closed the page.
  let widget = made(gtk_revealer_new())
  private let parts = Interface(PackageResources.first_ui)
  private let clipboard: ClipboardSetting
  private let autostart: AutostartSetting
  private let opening: Toggle
  private let shortcut: Toggle

  /// Creates the page.
  ///
  /// - Parameters:
  ///   - connection: the connection to the bus.
  ///   - report: shows errors.
  init(on connection: DragboardConnection, report: Report) {
    clipboard = ClipboardSetting(
      row: parts["clipboard"], toggle: parts["clipboard_switch"], on: connection)
    autostart = AutostartSetting(parts["autostart_switch"], report: report)
    opening = Toggle(parts["opening_switch"])
    opening.show(ShelfSettings.opensForDrags)
    opening.onChange = { Self.change("open-for-drags", to: $0) }
    parts["opening"].show(DragOpener.isPossible)
    shortcut = Toggle(parts["shortcut_switch"])
    shortcut.show(ShelfSettings.hasPickerShortcut)
    shortcut.onChange = { Self.change("picker-shortcut", to: $0) }
    let (keys, display) = (ShelfSettings.pickerKeys, gdk_display_get_default())
    parts["shortcut"].show(display.flatMap { PickerShortcut.examine(on: $0, keys) } != nil)
    adw_action_row_set_subtitle(parts["shortcut"].of(), keys.label.escapingMarkup)
    gtk_widget_add_css_class(parts["first"], "first-page")
    gtk_revealer_set_child(widget.opaque, parts["first"])
    gtk_revealer_set_reveal_child(widget.opaque, 1)
    connect(parts["done"], "clicked") { [weak self] _ in self?.close() }
    activateBySpace()
    // Screen readers still find the widgets of a revealer that is closed, but visible.
    connect(widget, "notify::child-revealed") { [weak self] _ in
      guard let self, gtk_revealer_get_child_revealed(widget.opaque) == 0 else { return }
      widget.show(false)
    }
  }

  /// Lets Space activate the row or the switch with the focus.
  ///
  /// For the rest of the window, Space is the key of the large preview, which would come first.
  private func activateBySpace() {
    let keys = made(gtk_event_controller_key_new())
    answer(keys, "key-pressed") { [weak self] arguments in
      guard let self, Int32(arguments.uint(1)) == GDK_KEY_space,
        let focus = gtk_widget_get_root(widget).flatMap({ gtk_root_get_focus($0) })
      else { return .handled(false) }
      return .handled(gtk_widget_activate(focus) != 0)
    }
    gtk_widget_add_controller(widget, keys)
  }

  /// Changes the state of an action of the application.
  private static func change(_ action: String, to isOn: Bool) {
    g_action_group_change_action_state(
      g_application_get_default().map { OpaquePointer($0) }, action,
      g_variant_new_boolean(isOn ? 1 : 0))
  }

  /// Closes the page, which does not come again.
  private func close() {
    ShelfSettings.hasAsked = true
    gtk_revealer_set_reveal_child(widget.opaque, 0)
  }
}
