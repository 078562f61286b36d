import CGtk4
import CShelf
import ShelfModel

/// A way to place a shelf that opens by itself, at the screen's edge or beside the pointer.
protocol EdgePlacement {
  /// Whether a closed shelf is hidden; otherwise, it is a strip.
  var isHiddenWhenClosed: Bool { get }
  /// The side of the screen; nil beside the pointer.
  var side: ScreenSide? { get }
  /// Whether the strip has two pixels, along the whole side.
  var isThin: Bool { get }
  /// Prepares a window, which must not have been shown yet.
  func prepare(_ window: Widget)
  /// Gives the window the position and the size of an open shelf, or of the strip of a closed
  /// shelf.
  func place(_ window: Widget, isOpen: Bool)
  /// Lets an open shelf take the keyboard, because the user wants to use it.
  func takeKeyboard(_ window: Widget)
}

extension EdgePlacement {
  var isHiddenWhenClosed: Bool { false }
  var isThin: Bool { false }
  func takeKeyboard(_ window: Widget) {}
}

/// The available placements.
enum EdgePlacements {
  /// Returns the placement for this display; nil if windows cannot choose their positions.
  static func available(at side: ScreenSide) -> (any EdgePlacement)? {
    guard let display = gdk_display_get_default() else { return nil }
    if shelf_x11_is_display(display) != 0 { return UtilityWindow(at: side, on: display) }
    return shelf_layer_is_supported() != 0
      ? LayerWindow(at: side, isThin: ShelfSettings.opensForDrags, on: display) : nil
  }

  /// Returns the rectangle of a shelf on the outermost monitor of a display.
  fileprivate static func frame(
    at side: ScreenSide, isOpen: Bool, isThin: Bool = false, on display: OpaquePointer
  ) -> EdgeFrame {
    let monitor = EdgeFrame.outermost(at: side, of: monitors(of: display))
    return EdgeFrame(
      at: side, isOpen: isOpen, isThin: isThin,
      of: monitor ?? EdgeFrame(x: 0, y: 0, width: 360, height: 480))
  }

  /// Returns the areas of the monitors of a display that panels do not cover.
  static func monitors(of display: OpaquePointer) -> [EdgeFrame] {
    let monitors = gdk_display_get_monitors(display)
    return (0..<g_list_model_get_n_items(monitors)).compactMap { index in
      g_list_model_get_item(monitors, index).map { monitor in
        defer { g_object_unref(monitor) }
        var area = GdkRectangle()
        if shelf_x11_is_display(display) != 0 {
          shelf_x11_get_workarea(OpaquePointer(monitor), &area)
        } else {
          // The compositor itself places layers beside panels.
          gdk_monitor_get_geometry(OpaquePointer(monitor), &area)
        }
        return EdgeFrame(
          x: Int(area.x), y: Int(area.y), width: Int(area.width), height: Int(area.height))
      }
    }
  }
}

/// The placement on X11: a utility window that is above other windows.
///
/// A dock window does not work: several window managers never give it the keyboard focus, which
/// search and the editor need.
private final class UtilityWindow: EdgePlacement {
  private let place: ScreenSide
  private let display: OpaquePointer
  private var reportedWidth: Int32 = 0

  init(at side: ScreenSide, on display: OpaquePointer) { (place, self.display) = (side, display) }

  var side: ScreenSide? { place }

  func prepare(_ window: Widget) {
    gtk_widget_realize(window)
    shelf_x11_make_utility(window)
    connect(window, "map") { _ in shelf_x11_keep_above(window) }
    guard let surface = gtk_native_get_surface(window.opaque) else { return }
    connect(surface, "layout") { [weak self] in
      self?.reportShape(of: window, width: $0.int(1))
    }
  }

  /// Reports the shape once for each width.
  private func reportShape(of window: Widget, width: Int32) {
    guard width != reportedWidth else { return }
    reportedWidth = width
    shelf_x11_report_shape(window)
  }

  func place(_ window: Widget, isOpen: Bool) {
    let frame = EdgePlacements.frame(at: place, isOpen: isOpen, on: display)
    gtk_window_set_default_size(window.of(), gint(frame.width), gint(frame.height))
    shelf_x11_place(
      window, gint(frame.x), gint(frame.y), gint(frame.width), gint(frame.height))
    // Report the shape before the drag moves. If the window manager is slow, the layout reports it
    // again.
    shelf_x11_report_shape(window)
  }
}

/// The placement on Wayland: a layer of the compositor, through gtk4-layer-shell.
///
/// A thin strip is above full-screen windows and panels, so that a drag reaches it everywhere.
struct LayerWindow: EdgePlacement {
  let isThin: Bool
  private let place: ScreenSide
  private let display: OpaquePointer

  /// Creates the placement at a side of a display, which must support layers.
  init(at side: ScreenSide, isThin: Bool, on display: OpaquePointer) {
    (place, self.isThin, self.display) = (side, isThin, display)
  }

  var side: ScreenSide? { place }

  func prepare(_ window: Widget) {
    shelf_layer_attach(window, place == .left ? 1 : 0, isThin ? 1 : 0)
  }

  func place(_ window: Widget, isOpen: Bool) {
    // KWin gives a layer the keyboard as soon as the layer can take it. That would open the closed
    // shelf, and keep it open after the pointer has left it.
    if !isOpen || shelf_layer_gets_keyboard_at_once(display) == 0 {
      shelf_layer_take_keyboard(window, isOpen ? 1 : 0)
    }
    let frame = EdgePlacements.frame(at: place, isOpen: isOpen, isThin: isThin, on: display)
    gtk_window_set_default_size(window.of(), gint(frame.width), gint(frame.height))
  }

  func takeKeyboard(_ window: Widget) { shelf_layer_take_keyboard(window, 1) }
}
