import CGtk4
import CShelf
import Glibc
import ShelfModel

/// The shortcut that opens the picker, by the best means of the desktop.
///
/// The portal comes first, because the user can change its keys in the desktop's settings. The
/// portal may have no backend on this desktop, so a refusal leads to the other means.
final class PickerShortcut {
  /// Called when the shortcut was pressed.
  var onPress: () -> Void = {} { didSet { source?.onPress = onPress } }
  /// Called when the means has changed.
  var onChange: () -> Void = {}
  /// The means, as the user reads it; nil if the desktop lets no program have a shortcut.
  private(set) var means: String?
  private let keys: ShortcutKeys
  private var source: (any ShortcutSource)?

  /// Looks for a means.
  init(_ keys: ShortcutKeys) {
    self.keys = keys
    guard let portal = PortalShortcut(keys) else {
      useOther()
      return
    }
    use(portal, localized("The desktop asks for the keys"))
    portal.onBind = { [weak self] trigger in
      self?.means = trigger.isEmpty ? localized("Set in the desktop's settings") : trigger
      self?.onChange()
    }
    portal.onRefusal = { [weak self] in self?.useOther() }
  }

  private func use(_ source: any ShortcutSource, _ means: String) {
    (self.source, self.means) = (source, means)
    source.onPress = onPress
    onChange()
  }

  private func useOther() {
    if let shell = ShellShortcut() {
      use(shell, localized("Super+Shift+V, by the extension of GNOME"))
    } else if let grab = gdk_display_get_default().flatMap({ XShortcut(keys, on: $0) }) {
      use(grab, keys.label)
    } else {
      (source, means) = (nil, nil)
      onChange()
    }
  }

  /// The command that opens the picker.
  private static let command = "dragboard-shelf --picker"

  /// The advice for a desktop that lets no program have a shortcut: the line that binds the keys.
  static func advice(_ keys: ShortcutKeys) -> String {
    let names: [(String, ShortcutKeys.Compositor)] = [
      ("SWAYSOCK", .sway), ("HYPRLAND_INSTANCE_SIGNATURE", .hyprland), ("NIRI_SOCKET", .niri),
      ("LABWC_PID", .labwc),
    ]
    guard let (_, compositor) = names.first(where: { getenv($0.0) != nil }) else { return command }
    return keys.line(running: command, in: compositor)
  }

  /// Returns the means on this display, in English; nil if there is none.
  ///
  /// The user is asked nothing.
  static func examine(on display: OpaquePointer, _ keys: ShortcutKeys) -> String? {
    if PortalShortcut.isAvailable { return "the portal GlobalShortcuts of the desktop" }
    if ShellShortcut() != nil { return "Super+Shift+V, by the extension of GNOME Shell" }
    // A shelf with the shortcut has grabbed the keys itself.
    let isGrabbable =
      ShelfSettings.hasPickerShortcut
      ? shelf_x11_is_display(display) != 0 : XShortcut(keys, on: display) != nil
    return isGrabbable ? "\(keys.label), on X11" : nil
  }
}
