import CGtk4
import CShelf
import ShelfModel

/// A window that opens by itself, at the screen's edge or beside the pointer.
///
/// At the edge it is a narrow strip that opens when a drag reaches it or the pointer rests on it.
/// Beside the pointer it is hidden, and opens when another program begins a drag. It closes after the
/// drag and the pointer have left.
final class EdgeDock {
  private let window: Widget
  private let contents: Widget
  /// A widget that covers the whole window, because the window itself receives no pointer events.
  private let all: Widget
  private let strip: Widget
  private let placement: any EdgePlacement
  private var drawer = EdgeDrawer()
  private var opening: Timer?
  private var closing: Timer?
  private var watching: Timer?
  private var warming: Timer?
  private var isWarm = false

  /// The time for which the pointer must rest on the strip to open it, because pointers often touch
  /// the edge.
  private static let rest = Duration.milliseconds(150)
  /// The time for which the shelf stays open after the last reason to be open has ended.
  private static let closeDelay = Duration.milliseconds(600)
  /// The time between two comparisons of the pointer's position with the state of the shelf.
  private static let watchInterval = Duration.seconds(1)
  /// The time in which further lines may be filled before the contents are laid out.
  private static let warmDelay = Duration.milliseconds(300)

  /// Moves a window and its contents to the edge.
  ///
  /// - Parameters:
  ///   - window: the window, which must not have been shown yet. It gets a child.
  ///   - contents: the visible part of an open shelf.
  ///   - placement: moves the window.
  init(_ window: Widget, _ contents: Widget, by placement: any EdgePlacement) {
    self.window = window
    self.contents = contents
    self.placement = placement
    let grip = Make.box(GTK_ORIENTATION_VERTICAL)
    gtk_widget_add_css_class(grip, "grip")
    grip.expand()
    gtk_widget_set_halign(grip, GTK_ALIGN_CENTER)
    gtk_widget_set_valign(grip, GTK_ALIGN_CENTER)
    strip = Make.box(GTK_ORIENTATION_HORIZONTAL, grip)
    all = Make.box(GTK_ORIENTATION_HORIZONTAL, contents, strip)
    gtk_widget_add_css_class(window, "edge")
    gtk_widget_add_css_class(window, placement.side?.rawValue ?? "pointer")
    window.setClass("thin", placement.isThin)
    grip.show(!placement.isThin)
    // Without compositing, the round corners would be black.
    if let display = gdk_display_get_default() {
      window.setClass("rounded", gdk_display_is_composited(display) != 0)
    }
    gtk_widget_add_css_class(strip, "strip")
    gtk_widget_add_css_class(contents, "drawer")
    strip.expand()
    shelf_set_accessible_label(strip, localized("Shelf"))
    gtk_window_set_decorated(window.of(), 0)
    // Since libadwaita 1.10, a window has a minimum size, which is larger than the strip.
    gtk_widget_set_size_request(window, -1, -1)
    adw_application_window_set_content(window.of(), all)
    placement.prepare(window)
    show()
    listen()
  }

  /// Whether the strip has two pixels.
  var isThin: Bool { placement.isThin }

  /// Whether the shelf is open.
  var isOpen: Bool { drawer.isOpen }

  /// Records the beginning or the end of a drag of another program, anywhere on the screen.
  func setBegun(_ hasBegun: Bool) { set(.begun, hasBegun) }

  /// Records the beginning or the end of a drag from this window.
  func setCarrying(_ isCarrying: Bool) { set(.carrying, isCarrying) }

  /// Opens the shelf for keyboard use.
  func open() {
    set(.keyboard, true)
    placement.takeKeyboard(window)
    gtk_window_present(window.of())
    // If the display has not granted the keyboard focus by then, the shelf must not stay open for
    // it.
    MainLoop.after(.seconds(2)) { [weak self] in self?.noteNoKeyboard() }
  }

  /// Closes the shelf at the user's request.
  func dismiss() {
    drawer.dismiss()
    show()
  }

  /// Computes the styles and sizes of the contents of a hidden window once, soon after the last call, so
  /// that the first opening takes little longer than later ones.
  ///
  /// A strip stays as it is, because it would change its size.
  func warmUp() {
    guard placement.isHiddenWhenClosed, !isWarm else { return }
    warming?.cancel()
    warming = MainLoop.after(Self.warmDelay) { [weak self] in self?.warmUpNow() }
  }

  private func warmUpNow() {
    isWarm = true
    guard !drawer.isOpen else { return }
    contents.show(true)
    // The texts of all lines are laid out again for another width.
    let size = EdgeFrame.sizeBesidePointer
    let width = max(gint(size.width), minimum(GTK_ORIENTATION_HORIZONTAL, for: -1))
    let height = max(gint(size.height), minimum(GTK_ORIENTATION_VERTICAL, for: width))
    gtk_widget_allocate(contents, width, height, -1, nil)
    contents.show(false)
  }

  private func minimum(_ orientation: GtkOrientation, for size: gint) -> gint {
    var minimum: gint = 0
    gtk_widget_measure(contents, orientation, size, &minimum, nil, nil, nil)
    return minimum
  }

  private func listen() {
    let motion = made(gtk_event_controller_motion_new())
    connect(motion, "enter") { [weak self] _ in self?.pointerEntered() }
    connect(motion, "leave") { [weak self] _ in self?.pointerLeft() }
    gtk_widget_add_controller(all, motion)
    let drop = made(gtk_drop_controller_motion_new())
    connect(drop, "enter") { [weak self] _ in self?.set(.drag, true) }
    connect(drop, "leave") { [weak self] _ in self?.set(.drag, false) }
    gtk_widget_add_controller(all, drop)
    let click = made(gtk_gesture_click_new())
    gtk_gesture_single_set_button(click, 0)
    gtk_event_controller_set_propagation_phase(click, GTK_PHASE_CAPTURE)
    connect(click, "pressed") { [weak self] _ in
      if let self { placement.takeKeyboard(window) }
    }
    gtk_widget_add_controller(all, click)
    connect(window, "notify::is-active") { [weak self] _ in
      if let self { set(.keyboard, gtk_window_is_active(window.of()) != 0) }
    }
    connect(window, "map") { [weak self] _ in self?.show() }
  }

  private func noteNoKeyboard() {
    if gtk_window_is_active(window.of()) == 0 { set(.keyboard, false) }
  }

  private func pointerEntered() {
    opening?.cancel()
    guard !drawer.isOpen else {
      set(.pointer, true)
      // A drag has ended if the pointer enters, because this is not reported during a drag. Record
      // the end, because after a drop on the shelf, no event reports it.
      return set(.drag, false)
    }
    opening = MainLoop.after(Self.rest) { [weak self] in self?.set(.pointer, true) }
  }

  private func pointerLeft() {
    opening?.cancel()
    set(.pointer, false)
    set(.drag, false)
  }

  private func set(_ reason: EdgeDrawer.Reason, _ holds: Bool) {
    switch drawer.set(reason, holds) {
    case .open: show()
    case .closeLater:
      closing?.cancel()
      closing = MainLoop.after(Self.closeDelay) { [weak self] in
        if let self, drawer.timePassed() { show() }
      }
    case nil: break
    }
  }

  private func show() {
    contents.show(drawer.isOpen)
    strip.show(!drawer.isOpen && !placement.isHiddenWhenClosed)
    placement.place(window, isOpen: drawer.isOpen)
    watch()
  }

  /// Compares the pointer's position with the state of the shelf: repeatedly while the shelf is open,
  /// and once after it has closed.
  ///
  /// If the pointer crosses the border of the window while the window changes its size, GTK may
  /// report neither an enter nor a leave.
  private func watch() {
    watching?.cancel()
    watching = MainLoop.after(Self.watchInterval) { [weak self] in
      guard let self else { return }
      if drawer.isOpen {
        if !hasPointer { set(.pointer, false) }
        watch()
      } else if hasPointer {
        pointerEntered()
      }
    }
  }

  /// Whether the pointer is in the window.
  private var hasPointer: Bool {
    guard let surface = gtk_native_get_surface(window.opaque),
      let pointer = gdk_seat_get_pointer(
        gdk_display_get_default_seat(gdk_surface_get_display(surface)))
    else { return false }
    var (x, y) = (-1.0, -1.0)
    guard gdk_surface_get_device_position(surface, pointer, &x, &y, nil) != 0 else { return false }
    return 0..<Double(gdk_surface_get_width(surface)) ~= x
      && 0..<Double(gdk_surface_get_height(surface)) ~= y
  }
}
