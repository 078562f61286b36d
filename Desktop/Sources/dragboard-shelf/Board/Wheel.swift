import CGtk4
import Glibc

/// A wheel controller that scrolls a list at most once in each frame.
///
/// The list view of GTK 4.8 assumes zero height for rows without layout. A second notch before the
/// next frame would skip all these rows, and so scroll to the end of a long board.
final class Wheel {
  /// Called when the user turns the wheel.
  var onTurn: () -> Void = {}
  private let scroller: Widget
  /// The number of notches to scroll down in the next frame; nil for none.
  private var notches: Double?

  /// Creates a controller that handles the wheel before the scrolled window does.
  init(over scroller: Widget) {
    self.scroller = scroller
    let turns = made(gtk_event_controller_scroll_new(GTK_EVENT_CONTROLLER_SCROLL_VERTICAL))
    gtk_event_controller_set_propagation_phase(turns, GTK_PHASE_CAPTURE)
    answer(turns, "scroll") { [weak self] arguments in
      self?.onTurn()
      // Smooth scrolling, as on a touchpad, already happens only once in each frame.
      guard let self, let turns = arguments.object(0),
        let event = gtk_event_controller_get_current_event(turns),
        gdk_scroll_event_get_direction(event) != GDK_SCROLL_SMOOTH
      else { return .handled(false) }
      take(arguments.double(2))
      return .handled(true)
    }
    gtk_widget_add_controller(scroller, turns)
  }

  private func take(_ more: Double) {
    if notches == nil {
      gtk_widget_add_tick_callback(
        scroller,
        { _, _, data in
          held(data, as: Wheel.self)?.scroll()
          return 0
        }, hold(self), { release($0) })
    }
    notches = (notches ?? 0) + more
  }

  private func scroll() {
    guard let notches, let place = gtk_scrolled_window_get_vadjustment(scroller.opaque) else {
      return
    }
    self.notches = nil
    // The step of GTK for one notch.
    let step = pow(gtk_adjustment_get_page_size(place), 2.0 / 3)
    gtk_adjustment_set_value(place, gtk_adjustment_get_value(place) + notches * step)
  }
}
