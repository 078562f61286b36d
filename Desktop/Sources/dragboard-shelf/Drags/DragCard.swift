import CGtk4

/// The card at the pointer during a drag: the picture of the dragged widget.
final class DragCard {
  private let widget: Widget
  private let drag: Owned
  /// The position in the widget at which the drag began.
  private let grabPoint: Point
  /// The number of dragged rows.
  private let count: Int
  private var isOver = false
  private var onShow: () -> Void = {}

  private init(of widget: Widget, at drag: OpaquePointer, _ grabPoint: Point, count: Int) {
    self.widget = widget
    self.drag = Owned(retaining: drag)
    self.grabPoint = grabPoint
    self.count = count
  }

  /// Shows a card with the picture of a widget at the pointer; for several rows, a pile of cards
  /// with their number.
  ///
  /// A widget that has changed since the latest frame has no picture, for example because the
  /// pointer has just reached its row. Then the card appears after the next frame.
  ///
  /// - Parameters:
  ///   - widget: the dragged widget.
  ///   - drag: the drag.
  ///   - grabPoint: the position in the widget at which the drag began.
  ///   - count: the number of dragged rows.
  ///   - onShow: called when the card is shown; then the widget may be dimmed.
  static func show(
    of widget: Widget, at drag: OpaquePointer, _ grabPoint: Point, count: Int,
    onShow: @escaping () -> Void
  ) {
    let card = DragCard(of: widget, at: drag, grabPoint, count: count)
    card.onShow = onShow
    guard !card.show() else { return }
    for signal in ["drop-performed", "cancel", "dnd-finished"] {
      connect(drag, signal) { [weak card] _ in card?.isOver = true }
    }
    gtk_widget_add_tick_callback(
      widget,
      { _, _, data in
        guard let card = held(data, as: DragCard.self), !card.isOver else { return 0 }
        return card.show() ? 0 : 1
      }, hold(card), { release($0) })
  }

  /// Shows the card; returns false if the widget has no picture yet.
  private func show() -> Bool {
    guard let (start, offset, width) = start() else { return false }
    // Without compositing, the corners outside of the cards would be black.
    let isComposited = gdk_display_is_composited(gdk_drag_get_display(drag.pointer)) != 0
    let picture = made(gtk_picture_new_for_paintable(start.pointer))
    gtk_picture_set_can_shrink(picture.opaque, 0)
    gtk_drag_icon_set_child(
      gtk_drag_icon_get_for_drag(drag.pointer)?.opaque,
      Self.cards(picture, count: count, isComposited))
    let x = min(max(grabPoint.x - offset, 0), width)
    gdk_drag_set_hotspot(drag.pointer, gint(x), gint(grabPoint.y))
    onShow()
    return true
  }

  /// The maximum width of a card.
  private static let maxWidth = 220.0

  /// Returns the start of the widget's present picture, up to the maximum width of a card; nil if there is none.
  ///
  /// - Returns: the start, its left edge in the picture, and its width.
  private func start() -> (paintable: Owned, offset: Double, width: Double)? {
    let live = Owned(adopting: made(gtk_widget_paintable_new(widget)))
    // The widget may change during the drag, so use a copy of its picture.
    let image = Owned(adopting: made(gdk_paintable_get_current_image(live.pointer)))
    let (whole, height) = (
      Double(gdk_paintable_get_intrinsic_width(image.pointer)),
      Double(gdk_paintable_get_intrinsic_height(image.pointer))
    )
    let width = min(whole, Self.maxWidth)
    let isMirrored = gtk_widget_get_direction(widget) == GTK_TEXT_DIR_RTL
    let offset = isMirrored ? whole - width : 0
    let snapshot = made(gtk_snapshot_new())
    var clip = graphene_rect_t()
    graphene_rect_init(&clip, 0, 0, Float(width), Float(height))
    gtk_snapshot_push_clip(snapshot.opaque, &clip)
    var shift = graphene_point_t(x: Float(-offset), y: 0)
    gtk_snapshot_translate(snapshot.opaque, &shift)
    gdk_paintable_snapshot(image.pointer, snapshot.opaque, whole, height)
    gtk_snapshot_pop(snapshot.opaque)
    guard let node = gtk_snapshot_free_to_node(snapshot.opaque) else { return nil }
    defer { gsk_render_node_unref(node) }
    let copy = made(gtk_snapshot_new())
    gtk_snapshot_append_node(copy.opaque, node)
    var size = graphene_size_t(width: Float(width), height: Float(height))
    let start = made(gtk_snapshot_free_to_paintable(copy.opaque, &size))
    return (Owned(adopting: start), offset, width)
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
