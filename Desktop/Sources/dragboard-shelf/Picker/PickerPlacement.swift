import CGtk4
import CShelf
import ShelfModel

/// The place of the picker.
///
/// On X11, it is in the middle of the monitor with the pointer. Other displays place windows themselves:
/// the picker cannot be resized, so tiling desktops show it in the middle, too.
enum PickerPlacement {
  /// Places a window of a size, which may be hidden.
  static func place(_ window: Widget, _ size: (width: Int32, height: Int32)) {
    let display = gtk_widget_get_display(window)
    guard let display, shelf_x11_is_display(display) != 0 else { return }
    gtk_widget_realize(window)
    var (x, y): (gint, gint) = (0, 0)
    shelf_x11_get_pointer(display, &x, &y)
    let monitors = EdgePlacements.monitors(of: display)
    guard
      let monitor = monitors.first(where: { $0.contains(x: Int(x), y: Int(y)) }) ?? monitors.first
    else { return }
    shelf_x11_place(
      window, gint(monitor.x + max(0, monitor.width - Int(size.width)) / 2),
      gint(monitor.y + max(0, monitor.height - Int(size.height)) / 2), size.width, size.height)
  }
}
