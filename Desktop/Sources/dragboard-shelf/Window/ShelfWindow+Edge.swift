import CGtk4
import Logging
import ShelfModel

/// The place of a window of the shelf.
enum ShelfPlace {
  /// An ordinary window, which the desktop places.
  case anywhere
  /// A window at a side of the screen, if windows can choose their positions.
  case edge(ScreenSide)
  /// A window that opens beside the pointer.
  case pointer(any EdgePlacement)

  /// The place in the settings.
  static var chosen: ShelfPlace { ShelfSettings.edge.map(ShelfPlace.edge) ?? .anywhere }

  fileprivate var side: ScreenSide? { if case .edge(let side) = self { side } else { nil } }

  fileprivate var placement: (any EdgePlacement)? {
    switch self {
    case .anywhere: nil
    case .edge(let side): EdgePlacements.available(at: side)
    case .pointer(let placement): placement
    }
  }
}

/// The placement of the window, which is either ordinary or opens by itself.
extension ShelfWindow {
  /// Moves the contents into an ordinary window, or into a window that opens by itself.
  func sit(at place: ShelfPlace) {
    guard let placement = place.placement else {
      if place.side != nil {
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
    let dock = EdgeDock(widget, overlay, by: placement)
    drags.onChange = { dock.setCarrying($0) }
    self.dock = dock
  }

  /// Whether the window opens by itself, at the screen's edge or beside the pointer.
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
