import CGtk4
import CShelf
import Files

/// The examination of the display for `dragboard doctor --desktop`.
///
/// Each line has `yes` or `no`, a part of the shelf, the means or the reason, and the remedy if there is
/// one, separated by tabs. The texts are not translated, because they are a part of doctor's output.
enum DesktopCheck {
  /// Prints the lines; returns the exit status.
  static func run() -> Int32 {
    guard gtk_init_check() != 0, let display = gdk_display_get_default() else {
      StandardError.writeLine("dragboard-shelf: there is no display")
      return 1
    }
    for line in [edge(on: display), opening(on: display), shortcut(on: display), pickUp] {
      print(line.joined(separator: "\t"))
    }
    return 0
  }

  private static func edge(on display: OpaquePointer) -> [String] {
    if shelf_x11_is_display(display) != 0 { return ["yes", "edge", "a utility window on X11"] }
    if shelf_layer_is_supported() != 0 {
      return ["yes", "edge", "a layer of the Wayland compositor"]
    }
    return [
      "no", "edge",
      "the compositor has no layers, or gtk4-layer-shell is not installed; the shelf is a window",
    ]
  }

  private static func opening(on display: OpaquePointer) -> [String] {
    let part = "drag begin"
    let means =
      switch DragOpener.watch(on: display) {
      case is XDragWatch: "the shelf can open beside the pointer, on X11"
      case is LayerStrip: "a strip of two pixels at the screen's edge can open under a drag"
      case is ShellExtension:
        "the shelf can open beside the pointer, by the extension of GNOME Shell"
      default: String?.none
      }
    guard let means else {
      return [
        "no", part, "no interface of this desktop reports drags",
        "On GNOME, install the extension: Desktop/gnome-extension/build. "
          + "On other Wayland desktops, install gtk4-layer-shell",
      ]
    }
    guard !ShelfSettings.opensForDrags else { return ["yes", part, means] }
    return ["yes", part, "\(means); it is off", "Turn it on in the preferences of the shelf"]
  }

  private static func shortcut(on display: OpaquePointer) -> [String] {
    let (part, keys) = ("shortcut", ShelfSettings.pickerKeys)
    guard let means = PickerShortcut.examine(on: display, keys) else {
      return [
        "no", part, "this desktop lets no program have a shortcut for the picker",
        "Bind the keys in the configuration of the desktop: \(PickerShortcut.advice(keys))",
      ]
    }
    guard !ShelfSettings.hasPickerShortcut else { return ["yes", part, means] }
    return ["yes", part, "\(means); it is off", "Turn it on in the preferences of the shelf"]
  }

  private static var pickUp: [String] {
    let part = "pick up"
    return shelf_can_announce() != 0
      ? ["yes", part, "by the keyboard; screen readers get announcements"]
      : ["yes", part, "by the keyboard; screen readers get alerts (announcements need GTK 4.14)"]
  }
}
