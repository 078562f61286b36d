import CGtk4
import CShelf
import DragboardClient

/// A drag that the pointer carries from the shelf.
protocol CarriedDrag: AnyObject {
  /// The rows that a drop on their own board moves, in order.
  var items: [ItemID] { get }
  /// The session; nil if the daemon has none.
  var session: DragSession? { get async }
  /// Whether it was dropped on the shelf itself; then the daemon has performed the drop.
  var wasDroppedInside: Bool { get set }

  /// Ends the drag after a drop, when the other application has all data.
  func conclude(isMove: Bool)
  /// Ends the drag without a drop.
  func cancel()
}

/// The drag that the pointer carries from the shelf, to recognize it over the shelf.
final class DragsOfShelf {
  /// The drag; nil if there is none.
  var carried: (any CarriedDrag)? {
    didSet { onChange(carried != nil) }
  }
  /// Called when the drag may have changed, with whether there is one.
  var onChange: (Bool) -> Void = { _ in }

  /// Carries the drags that a widget's drag source prepares, and ends them when the button is
  /// released.
  ///
  /// - Parameters:
  ///   - widget: the widget to drag, which is also the picture of the drag.
  ///   - actions: the actions of a drop elsewhere.
  ///   - prepare: returns the drag and the GdkContentProvider with a reference for the caller; nil
  ///     if nothing
  ///     can be dragged.
  func carry(
    from widget: Widget, _ actions: GdkDragAction,
    prepare: @escaping () -> (drag: any CarriedDrag, content: OpaquePointer)?
  ) {
    let source = made(gtk_drag_source_new())
    gtk_drag_source_set_actions(source, actions)
    answer(source, "prepare") { [self] _ in
      guard let (drag, content) = prepare() else { return .object(nil) }
      carried = drag
      return .object(content)
    }
    connect(source, "drag-begin") { arguments in
      guard let drag = arguments.object(1) else { return }
      Self.showPicture(of: widget, at: drag)
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
  private static func showPicture(of widget: Widget, at drag: OpaquePointer) {
    let live = gtk_widget_paintable_new(widget)
    defer { if let live { g_object_unref(live.object) } }
    // The content of the widget may change during the drag.
    guard let live, let image = gdk_paintable_get_current_image(live) else { return }
    defer { g_object_unref(image.object) }
    let card = Make.box(GTK_ORIENTATION_HORIZONTAL, made(gtk_picture_new_for_paintable(image)))
    gtk_widget_add_css_class(card, "card-under-way")
    // Without compositing, the area outside of round corners is black.
    if gdk_display_is_composited(gdk_drag_get_display(drag)) != 0 {
      gtk_widget_add_css_class(card, "rounded")
    }
    gtk_drag_icon_set_child(gtk_drag_icon_get_for_drag(drag)?.opaque, card)
    gdk_drag_set_hotspot(drag, 24, 24)
  }
}
