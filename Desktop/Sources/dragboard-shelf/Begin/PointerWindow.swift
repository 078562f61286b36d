import CGtk4
import CShelf
import ShelfModel

/// The placement beside the pointer, on X11: a utility window that is hidden while it is closed.
///
/// The hidden window is realized, so that it appears at once.
final class PointerWindow: EdgePlacement {
  let isHiddenWhenClosed = true
  let side: ScreenSide? = nil
  private let pointer: () -> (x: Int, y: Int)
  private var frame: EdgeFrame?

  /// Creates the placement.
  ///
  /// - Parameter pointer: returns the position of the pointer, in pixels of the display.
  init(pointer: @escaping () -> (x: Int, y: Int)) { self.pointer = pointer }

  func prepare(_ window: Widget) {
    gtk_widget_realize(window)
    shelf_x11_make_utility(window)
    connect(window, "map") { _ in shelf_x11_keep_above(window) }
  }

  func place(_ window: Widget, isOpen: Bool) {
    guard isOpen else {
      frame = nil
      window.show(false)
      return shelf_forget_drop(window)
    }
    // The window stays where it has opened.
    let frame = frame ?? frame(of: window)
    self.frame = frame
    // Without this, the window would take the keyboard after it has been used once.
    shelf_x11_make_utility(window)
    gtk_window_set_default_size(window.of(), gint(frame.width), gint(frame.height))
    for _ in 1...2 {
      // GTK sets the position again when it shows the window.
      shelf_x11_place(
        window, gint(frame.x), gint(frame.y), gint(frame.width), gint(frame.height))
      window.show(true)
    }
    shelf_x11_report_shape(window)
  }

  private func frame(of window: Widget) -> EdgeFrame {
    let scale = Int(gtk_widget_get_scale_factor(window))
    let (x, y) = (pointer().x / scale, pointer().y / scale)
    let monitors = EdgePlacements.monitors(of: gtk_widget_get_display(window))
    let monitor = monitors.first { $0.contains(x: x, y: y) } ?? monitors.first
    return EdgeFrame(
      besideX: x, y: y, of: monitor ?? EdgeFrame(x: 0, y: 0, width: 360, height: 480))
  }
}
