import CGtk4
import CShelf
import DragboardClient

/// A drag from the shelf that the pointer carries.
protocol CarriedDrag: AnyObject {
  /// The rows that a drop on a board moves, in order.
  var items: [ItemID] { get }
  /// The page to which the rows belong.
  var source: BoardPage? { get }
  /// The session; nil if the daemon has none.
  var session: DragSession? { get async }
  /// Whether the drag was dropped on the shelf itself. Then the daemon has performed the drop.
  var wasDroppedInside: Bool { get set }

  /// Ends the drag after a drop, when the other application has received all data.
  func conclude(isMove: Bool)
  /// Ends the session after the shelf itself has moved the rows within their board.
  func concludeMove()
  /// Ends the drag without a drop.
  func cancel()
}

/// The drag from the shelf that the pointer carries.
///
/// The shelf uses this to recognize its own drag over its window.
final class DragsOfShelf {
  /// The drag; nil if there is none.
  var carried: (any CarriedDrag)? {
    didSet { onChange(carried != nil) }
  }
  /// A drag, its GdkContentProvider with a reference for the caller, and whether a drop may move
  /// it.
  typealias Prepared = (drag: any CarriedDrag, content: OpaquePointer, mayMove: Bool)
  /// Called when a drag begins or ends, with whether there is a drag.
  var onChange: (Bool) -> Void = { _ in }

  /// Lets the user drag a widget.
  ///
  /// The drag ends when the button is released.
  ///
  /// - Parameters:
  ///   - widget: the widget to drag, whose picture is shown during the drag.
  ///   - prepare: returns the drag; nil if nothing can be dragged.
  func carry(from widget: Widget, prepare: @escaping () -> Prepared?) {
    let source = made(gtk_drag_source_new())
    answer(source, "prepare") { [self] _ in
      guard let (drag, content, mayMove) = prepare() else { return .object(nil) }
      carried = drag
      let move = mayMove ? GDK_ACTION_MOVE.rawValue : 0
      gtk_drag_source_set_actions(
        source, GdkDragAction(rawValue: GDK_ACTION_COPY.rawValue | move))
      return .object(content)
    }
    connect(source, "drag-begin") { [self] arguments in
      guard let drag = arguments.object(1) else { return }
      showPicture(of: widget, at: drag)
      shelf_x_cancel_by_escape(drag)
    }
    connect(source, "drag-end") { [self] in
      carried?.conclude(isMove: $0.bool(2))
      carried = nil
    }
    answer(source, "drag-cancel") { [self] _ in
      carried?.cancel()
      carried = nil
      return .handled(false)
    }
    gtk_widget_add_controller(widget, source.opaque)
  }

  /// Shows a card with the picture of the widget at the pointer.
  ///
  /// For several rows, shows a pile of cards with the number of rows.
  private func showPicture(of widget: Widget, at drag: OpaquePointer) {
    let live = gtk_widget_paintable_new(widget)
    defer { if let live { g_object_unref(live.object) } }
    // The widget may change during the drag, so use a copy of its picture.
    guard let live, let image = gdk_paintable_get_current_image(live) else { return }
    defer { g_object_unref(image.object) }
    // Without compositing, the corners outside of the cards would be black.
    let isComposited = gdk_display_is_composited(gdk_drag_get_display(drag)) != 0
    let picture = made(gtk_picture_new_for_paintable(image))
    gtk_picture_set_can_shrink(picture.opaque, 0)
    gtk_drag_icon_set_child(
      gtk_drag_icon_get_for_drag(drag)?.opaque,
      Self.cards(picture, count: carried?.items.count ?? 1, isComposited))
    gdk_drag_set_hotspot(drag, 24, 24)
  }

  /// Returns a card with a picture.
  ///
  /// For several rows, returns a pile of cards with the number of rows.
  private static func cards(_ picture: Widget, count: Int, _ isComposited: Bool) -> Widget {
    let card = Make.box(GTK_ORIENTATION_HORIZONTAL, picture)
    gtk_widget_add_css_class(card, "card-under-way")
    card.setClass("rounded", isComposited)
    guard count > 1 else { return card }
    let label = Make.label("\(count)", classes: "count", "numeric")
    gtk_widget_set_halign(label, GTK_ALIGN_END)
    gtk_widget_set_valign(label, GTK_ALIGN_CENTER)
    let overlay = made(gtk_overlay_new())
    gtk_overlay_set_child(overlay.opaque, card)
    gtk_overlay_add_overlay(overlay.opaque, label)
    let pile = Make.box(GTK_ORIENTATION_VERTICAL, overlay)
    for depth in 1...Int32(min(count - 1, 2)) {
      let below = Make.box(GTK_ORIENTATION_HORIZONTAL)
      gtk_widget_add_css_class(below, "card-below")
      below.setClass("rounded", isComposited)
      below.setMargins(vertical: 0, horizontal: isComposited ? 5 * depth : 0)
      gtk_box_append(pile.of(), below)
    }
    return pile
  }
}
