import CGtk4
import Logging
import ShelfModel

/// The placement of the window, which is either ordinary or at the screen's edge.
extension ShelfWindow {
  /// Moves the contents into an ordinary window, or into a window at the screen's edge.
  func sit(at side: ScreenSide?) {
    guard let side, let placement = EdgePlacements.available(at: side) else {
      if side != nil {
        log.warning("\(Self.noEdge). \(Self.needs)")
        let details = Toast.Button(label: localized("Details")) { [widget] in
          Question.inform(over: widget, Self.noEdge, Self.needs)
        }
        report.show(Self.noEdge, details)
      }
      return adw_application_window_set_content(widget.of(), overlay)
    }
    adw_header_bar_set_show_start_title_buttons(header.opaque, 0)
    adw_header_bar_set_show_end_title_buttons(header.opaque, 0)
    let dock = EdgeDock(widget, overlay, at: side, by: placement)
    drags.onChange = { dock.setCarrying($0) }
    self.dock = dock
  }

  /// Whether the window is at the screen's edge.
  var isAtEdge: Bool { dock != nil }

  private static let noEdge = localized("The shelf cannot be at the screen edge here")
  /// The requirements for a shelf at the screen's edge, as the user reads them.
  static let needs =
    localized(
      "This needs X11, or gtk4-layer-shell and a Wayland compositor that supports layers."
    )

  /// Shows the window without a request by the user.
  ///
  /// At the screen's edge it stays closed.
  func appear() {
    if dock == nil { gtk_window_present(widget.of()) } else { widget.show(true) }
  }

  /// Shows the window at the user's request.
  func present() {
    appear()
    dock?.open()
  }

  /// Closes a window at the screen's edge, which can be opened again.
  ///
  /// Has no effect on an ordinary window.
  func dismiss() { dock?.dismiss() }
}
