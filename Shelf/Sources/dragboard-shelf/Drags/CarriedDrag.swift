import CGtk4
import CShelf
import DragboardClient

/// A drag that the pointer carries from the shelf.
protocol CarriedDrag: AnyObject {
  /// The rows that a drop on their own board moves, in order.
  var items: [ItemID] { get }
  /// The session; nil where the daemon has none.
  var session: DragSession? { get async }
  /// Whether it was dropped on the shelf itself, where the daemon has seen to everything.
  var wasDroppedInside: Bool { get set }

  /// The pointer has let go, and another application has all that it wants.
  func conclude(isMove: Bool)
  /// Nobody has taken it.
  func cancel()
}

/// The drag that the pointer carries from the shelf, so that it is known when it comes back.
final class DragsOfShelf {
  /// The drag; nil where there is none.
  var carried: (any CarriedDrag)? {
    didSet { onChange(carried != nil) }
  }
  /// Told whether there is one, when that may have changed.
  var onChange: (Bool) -> Void = { _ in }

  /// Has what a widget's drag source prepares be carried, and ended when the pointer has let go.
  ///
  /// - Parameters:
  ///   - widget: what can be dragged, and what its picture is of.
  ///   - actions: what a drop elsewhere may do.
  ///   - prepare: gives the drag, and the GdkContentProvider of what is dragged, whose reference is handed over; nil where nothing can be
  ///     dragged.
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

  /// A card with the widget's look goes with the pointer.
  private static func showPicture(of widget: Widget, at drag: OpaquePointer) {
    let live = gtk_widget_paintable_new(widget)
    defer { if let live { g_object_unref(live.object) } }
    // What the widget shows may change while this is under way.
    guard let live, let image = gdk_paintable_get_current_image(live) else { return }
    defer { g_object_unref(image.object) }
    let card = Make.box(GTK_ORIENTATION_HORIZONTAL, made(gtk_picture_new_for_paintable(image)))
    gtk_widget_add_css_class(card, "card-under-way")
    // What is outside of a round corner is black where nothing lays windows one over the other.
    if gdk_display_is_composited(gdk_drag_get_display(drag)) != 0 {
      gtk_widget_add_css_class(card, "rounded")
    }
    gtk_drag_icon_set_child(gtk_drag_icon_get_for_drag(drag)?.opaque, card)
    gdk_drag_set_hotspot(drag, 24, 24)
  }
}
