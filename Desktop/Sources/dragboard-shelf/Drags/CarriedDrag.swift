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
      DragCard.show(of: widget, at: drag, grabPoint, count: carried?.items.count ?? 1) { [self] in
        if let dim = prepared?.dim { dim(true) } else { widget.setClass("dragged", true) }
      }
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

  /// Shows the dragged rows as usual again, or the widget of a drag source, unless the widget has
  /// been destroyed.
  private func undim(_ source: OpaquePointer) {
    prepared?.dim?(false)
    gtk_event_controller_get_widget(source)?.setClass("dragged", false)
  }
}
