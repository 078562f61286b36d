import CGtk4
import ShelfModel

/// The placement of the window: ordinary, or at the screen's edge.
extension ShelfWindow {
  /// Moves the contents into an ordinary window, or into one at the screen's edge.
  func sit(at side: ScreenSide?) {
    defer { showMenu() }
    guard let side, let placement = EdgePlacements.available(at: side) else {
      if side != nil { StandardError.write(Self.noEdge) }
      gtk_window_set_titlebar(widget.of(), header)
      return gtk_window_set_child(widget.of(), body)
    }
    gtk_header_bar_set_show_title_buttons(header.opaque, 0)
    let contents = Make.box(GTK_ORIENTATION_VERTICAL, header, body)
    let dock = EdgeDock(widget, contents, at: side, by: placement)
    drags.onChange = { dock.setCarrying($0) }
    self.dock = dock
  }

  private func showMenu() {
    let menu = Self.primaryMenu(canQuit: isAtEdge).model()
    gtk_menu_button_set_menu_model(menuButton.opaque, menu.of())
    g_object_unref(menu.object)
  }

  /// Whether the window is at the screen's edge.
  var isAtEdge: Bool { dock != nil }

  private static let noEdge =
    "dragboard-shelf: no window can choose its place on this display: Wayland needs a compositor with layers, and gtk4-layer-shell; "
    + "the shelf is an ordinary window\n"

  /// Shows the window without a request of the user: at the screen's edge it stays closed.
  func appear() {
    if dock == nil { gtk_window_present(widget.of()) } else { widget.show(true) }
  }

  /// Shows the window at the user's request.
  func present() {
    appear()
    dock?.open()
  }

  /// Closes a window at the screen's edge, which can be opened again; has no effect on an ordinary
  /// window.
  func dismiss() { dock?.dismiss() }
}
