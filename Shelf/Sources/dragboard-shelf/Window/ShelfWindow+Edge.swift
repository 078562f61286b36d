import CGtk4
import ShelfModel

/// An ordinary window, or one at the screen's edge.
extension ShelfWindow {
  /// Puts everything into an ordinary window, or into one at the screen's edge.
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

  /// Whether it sits at the screen's edge.
  var isAtEdge: Bool { dock != nil }

  private static let noEdge =
    "dragboard-shelf: no window can choose its place on this display: Wayland needs a compositor with layers, and gtk4-layer-shell; "
    + "the shelf is an ordinary window\n"

  /// Shows it as it is when nobody has asked for it: at the screen's edge it stays closed.
  func appear() {
    if dock == nil { gtk_window_present(widget.of()) } else { widget.show(true) }
  }

  /// Shows it to a person who has asked for it.
  func present() {
    appear()
    dock?.open()
  }

  /// Closes it as far as it can be opened again without being started: at the screen's edge alone.
  func dismiss() { dock?.dismiss() }
}
