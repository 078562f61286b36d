import CGtk4
import DragboardClient
import ShelfModel

/// A drag of rows that has begun at the shelf: a drag session on the bus from its beginning to its end.
final class DragOut {
  /// The rows, in order.
  let items: [ItemID]
  /// Whether it was dropped on the shelf itself, where the daemon has seen to everything.
  var wasDroppedInside = false
  private let board: Board
  private let report: (String) -> Void
  private let beginning: Task<DragSession?, Never>

  /// Begins a drag of rows of a board.
  init(_ items: [ItemID], of board: Board, report: @escaping (String) -> Void) {
    self.items = items
    self.board = board
    self.report = report
    beginning = Task { try? await board.beginDrag(of: items, as: .shelf).session }
  }

  /// The session; nil where the daemon has none.
  var session: DragSession? {
    get async { await beginning.value }
  }

  /// The pointer has let go, and another application has all that it wants; rows that were moved are deleted now.
  func conclude(isMove: Bool) {
    guard !wasDroppedInside else { return }
    Task {
      do {
        if let session = await session {
          try? await session.accept(isMove ? .move : .copy, as: .shelf).finish()
        }
        if isMove { try await board.delete(items) }
      } catch {
        report("The rows stay here: \(error)")
      }
    }
  }

  /// Nobody has taken it.
  func cancel() {
    guard !wasDroppedInside else { return }
    Task { try? await session?.cancel() }
  }
}

extension DragOut {
  /// Lets rows of a page be dragged by a line of its list.
  static func attach(to row: RowView, of page: BoardPage, drags: DragsOfShelf) {
    let source = made(gtk_drag_source_new())
    gtk_drag_source_set_actions(
      source, GdkDragAction(rawValue: GDK_ACTION_COPY.rawValue | GDK_ACTION_MOVE.rawValue))
    answer(source, "prepare") { [weak page, weak row] _ in
      guard let page, let row else { return .object(nil) }
      return .object(prepare(row, of: page, drags))
    }
    connect(source, "drag-begin") { [weak row] _ in
      guard let row else { return }
      let picture = gtk_widget_paintable_new(row.widget)
      gtk_drag_source_set_icon(source, picture, 24, 24)
      if let picture { g_object_unref(picture.object) }
    }
    connect(source, "drag-end") { arguments in
      drags.outgoing?.conclude(isMove: arguments.bool(2))
      drags.outgoing = nil
    }
    answer(source, "drag-cancel") { _ in
      drags.outgoing?.cancel()
      drags.outgoing = nil
      return .handled(false)
    }
    gtk_widget_add_controller(row.widget, source.opaque)
  }

  /// All selected rows where the one under the pointer is one of them, else that one.
  private static func prepare(
    _ row: RowView, of page: BoardPage, _ drags: DragsOfShelf
  ) -> OpaquePointer? {
    guard page.isLive, let index = row.index, let item = page.surface.list.item(at: index)
    else { return nil }
    let selected = page.surface.selection
    let items = selected.contains(item) ? page.surface.list.ordered(selected) : [item]
    guard let content = page.content(of: items) else { return nil }
    drags.outgoing = DragOut(items, of: page.board, report: page.report)
    return content
  }
}
