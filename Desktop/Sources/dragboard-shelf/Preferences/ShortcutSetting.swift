import CGtk4
import ShelfModel

/// The switch of the shortcut that opens the picker.
final class ShortcutSetting {
  private let row: Widget
  private let toggle: Toggle
  private let isPossible: Bool

  /// Shows the switch in a row.
  ///
  /// - Parameters:
  ///   - row: the row, which shows the keys, or the line with which the user binds them.
  ///   - toggle: the switch.
  ///   - set: called when the user has turned the switch.
  init(row: Widget, toggle: Widget, set: @escaping (Bool) -> Void) {
    self.row = row
    self.toggle = Toggle(toggle)
    let display = gdk_display_get_default()
    isPossible = display.flatMap { PickerShortcut.examine(on: $0, ShelfSettings.pickerKeys) } != nil
    self.toggle.onChange = set
    // Without another means, the user copies the line from the subtitle.
    gtk_widget_set_sensitive(toggle, isPossible || ShelfSettings.hasPickerShortcut ? 1 : 0)
  }

  /// Shows the state; `shortcut` is nil if it is off.
  func show(_ shortcut: PickerShortcut?) {
    toggle.show(shortcut != nil)
    let text =
      if let means = shortcut?.means {
        means
      } else if shortcut == nil, isPossible {
        ""
      } else {
        localized(
          "This desktop lets no program have a shortcut. Add this to its configuration: %1",
          PickerShortcut.advice(ShelfSettings.pickerKeys))
      }
    adw_action_row_set_subtitle(row.of(), text.escapingMarkup)
  }
}
