import CGtk4
import DragboardClient

/// Keeps the lines around a drop where they are while the list changes.
///
/// A drop replaces a range of lines, and GTK scrolls to another position if the range contains the
/// line at the upper edge, or the line with the keyboard focus. So for a short time after a drop, each
/// layout corrects the scroll position by the distance that a line beside the drop has moved.
final class ScrollAnchor {
  /// A line with its edges in the visible part of the list.
  typealias Line = (item: ItemID, top: Double, bottom: Double)

  private let scroller: Widget
  /// Returns the upper edge of the line of a row; nil if the line does not exist.
  private let top: (ItemID) -> Double?
  /// Scrolls to a row whose line does not exist.
  private let scroll: (ItemID) -> Void
  private var line: (item: ItemID, top: Double)?
  private var end = ContinuousClock.now
  private var isWatching = false

  /// The time for which lines stay where they are.
  private static let time = Duration.milliseconds(700)

  /// Creates an anchor of a scrolled window that contains the list.
  init(
    _ scroller: Widget, top: @escaping (ItemID) -> Double?, scroll: @escaping (ItemID) -> Void
  ) {
    (self.scroller, self.top, self.scroll) = (scroller, top, scroll)
  }

  /// Keeps the line above a drop where it is, or else the nearest line below.
  ///
  /// - Parameters:
  ///   - height: the height of the drop.
  ///   - lines: the visible lines, without those that the drop moves.
  func hold(at height: Double, among lines: [Line]) {
    let above = lines.filter { $0.bottom <= height + 2 }.max { $0.bottom < $1.bottom }
    line = (above ?? lines.min { $0.top < $1.top }).map { ($0.item, $0.top) }
    end = .now + Self.time
    guard !isWatching, let clock = gtk_widget_get_frame_clock(scroller) else { return }
    isWatching = true
    // The window has connected before, so its layout is complete. If the position changes here, GTK
    // repeats the layout before it paints.
    connect(clock, "layout") { [weak self] _ in self?.correct() }
  }

  /// Lets the list scroll freely again.
  func release() { line = nil }

  private func correct() {
    guard let line else { return }
    guard ContinuousClock.now < end else { return release() }
    guard let top = top(line.item) else { return scroll(line.item) }
    let distance = top - line.top
    guard abs(distance) >= 1, let adjustment = gtk_scrolled_window_get_vadjustment(scroller.opaque)
    else { return }
    gtk_adjustment_set_value(adjustment, gtk_adjustment_get_value(adjustment) + distance)
  }
}
