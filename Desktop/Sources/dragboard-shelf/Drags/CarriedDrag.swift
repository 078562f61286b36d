import CGtk4
import CShelf
import DragboardClient
import ShelfModel

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
  func conclude(_ end: DragEnd)
  /// Ends the session after the shelf itself has moved the rows within their board.
  func concludeMove()
  /// Ends the drag without a drop.
  func cancel()
}

/// The end of a drag, as the other application has reported it.
struct DragEnd {
  /// Whether the other application has taken the content as a move.
  let isMove: Bool
  /// Whether the user held Shift at the drop, which requests a move.
  let isMoveRequested: Bool
  /// Whether the other application has not refused the drop.
  let isAccepted: Bool
}

/// The drag from the shelf that the pointer carries.
///
/// The shelf uses this to recognize its own drag over its window.
final class DragsOfShelf {
  /// The drag; nil if there is none.
  var carried: (any CarriedDrag)? {
    didSet { onChange(carried != nil) }
  }
  /// A drag that can begin.
  struct Prepared {
    /// The drag.
    let drag: any CarriedDrag
    /// The GdkContentProvider, with a reference for the receiver.
    let content: OpaquePointer
    /// Whether a drop may move it.
    let mayMove: Bool
    /// The name of the file that the other application can ask the shelf to write; nil if there is
    /// none.
    let fileName: FileName?
    /// Writes this file.
    let writer: RowContentProvider
    /// Makes the dragged rows pale, or shows them as usual again; nil dims the dragged widget.
    var dim: ((Bool) -> Void)?
  }
  /// Whether Shift was held at the drop.
  private var isMoveRequested = false
  private var prepared: Prepared?
  /// The position in the widget at which the drag began.
  private var grabPoint: Point = (0, 0)
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
    shelf_x_drag_watch(gtk_widget_get_display(widget))
    answer(source, "prepare") { [self] arguments in
      grabPoint = (arguments.double(1), arguments.double(2))
      guard let prepared = prepare() else { return .object(nil) }
      (carried, self.prepared, isMoveRequested) = (prepared.drag, prepared, false)
      let move = prepared.mayMove ? GDK_ACTION_MOVE.rawValue : 0
      gtk_drag_source_set_actions(
        source, GdkDragAction(rawValue: GDK_ACTION_COPY.rawValue | move))
      return .object(prepared.content)
    }
    connect(source, "drag-begin") { [self] arguments in
      guard let drag = arguments.object(1) else { return }
      showPicture(of: widget, at: drag)
      if let dim = prepared?.dim { dim(true) } else { widget.setClass("dragged", true) }
      shelf_x_cancel_by_escape(drag)
      shelf_x_drag_begin(
        drag, prepared?.fileName?.text,
        { address, request, data in
          let drags = held(data, as: DragsOfShelf.self)
          drags?.write(address.map { String(cString: $0) } ?? "", for: request)
        }, borrow(self))
      connect(drag, "drop-performed") { [weak self] _ in
        self?.isMoveRequested = ModifierKeys.areHeld(GDK_SHIFT_MASK)
      }
    }
    connect(source, "drag-end") { [self] in
      undim(source)
      let isRefused = $0.object(1).map { shelf_x_drag_was_refused($0) != 0 } ?? true
      carried?.conclude(
        DragEnd(isMove: $0.bool(2), isMoveRequested: isMoveRequested, isAccepted: !isRefused))
      carried = nil
    }
    answer(source, "drag-cancel") { [self] _ in
      undim(source)
      carried?.cancel()
      carried = nil
      return .handled(false)
    }
    gtk_widget_add_controller(widget, source.opaque)
  }

  /// Writes the file that the other application asks for.
  private func write(_ address: String, for request: OpaquePointer?) {
    guard let prepared, let file = prepared.fileName else {
      return shelf_save_answer(request, 0)
    }
    Task {
      let isSaved = (try? await prepared.writer.save(to: address, as: file)) != nil
      shelf_save_answer(request, isSaved ? 1 : 0)
    }
  }

  /// Shows a card with the picture of the widget at the pointer.
  ///
  /// For several rows, shows a pile of cards with the number of rows.
  private func showPicture(of widget: Widget, at drag: OpaquePointer) {
    let live = gtk_widget_paintable_new(widget)
    defer { if let live { g_object_unref(live.object) } }
    // The widget may change during the drag, so use a copy of its picture.
    guard let live, let image = gdk_paintable_get_current_image(live).map({ Owned(adopting: $0) })
    else { return }
    let isMirrored = gtk_widget_get_direction(widget) == GTK_TEXT_DIR_RTL
    let card = Self.start(of: image, isMirrored)
    defer { g_object_unref(card.paintable.object) }
    // Without compositing, the corners outside of the cards would be black.
    let isComposited = gdk_display_is_composited(gdk_drag_get_display(drag)) != 0
    let picture = made(gtk_picture_new_for_paintable(card.paintable))
    gtk_picture_set_can_shrink(picture.opaque, 0)
    gtk_drag_icon_set_child(
      gtk_drag_icon_get_for_drag(drag)?.opaque,
      Self.cards(picture, count: carried?.items.count ?? 1, isComposited))
    let x = min(max(grabPoint.x - card.offset, 0), card.width)
    gdk_drag_set_hotspot(drag, gint(x), gint(grabPoint.y))
  }

  /// Shows the dragged rows as usual again, or the widget of a drag source, unless the widget has
  /// been destroyed.
  private func undim(_ source: OpaquePointer) {
    prepared?.dim?(false)
    gtk_event_controller_get_widget(source)?.setClass("dragged", false)
  }

  /// The maximum width of a card.
  private static let maxWidth = 220.0

  /// Returns the start of a picture, up to the maximum width of a card.
  ///
  /// - Returns: the start, which the caller releases, its left edge in the picture, and its width.
  private static func start(
    of image: Owned, _ isMirrored: Bool
  ) -> (paintable: OpaquePointer, offset: Double, width: Double) {
    let (whole, height) = (
      Double(gdk_paintable_get_intrinsic_width(image.pointer)),
      Double(gdk_paintable_get_intrinsic_height(image.pointer))
    )
    let width = min(whole, maxWidth)
    let offset = isMirrored ? whole - width : 0
    let snapshot = made(gtk_snapshot_new())
    var clip = graphene_rect_t()
    graphene_rect_init(&clip, 0, 0, Float(width), Float(height))
    gtk_snapshot_push_clip(snapshot.opaque, &clip)
    var shift = graphene_point_t(x: Float(-offset), y: 0)
    gtk_snapshot_translate(snapshot.opaque, &shift)
    gdk_paintable_snapshot(image.pointer, snapshot.opaque, whole, height)
    gtk_snapshot_pop(snapshot.opaque)
    var size = graphene_size_t(width: Float(width), height: Float(height))
    let start = gtk_snapshot_free_to_paintable(snapshot.opaque, &size)
    return (made(start), offset, width)
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
