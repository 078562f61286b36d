import CGtk4
import CShelf
import DragboardClient
import ShelfModel

/// A drag of rows from the shelf, with a drag session on the bus.
final class DragOut: CarriedDrag {
  let items: [ItemID]
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

  var session: DragSession? {
    get async { await beginning.value }
  }

  /// Moved rows are deleted at the end.
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

  func cancel() {
    guard !wasDroppedInside else { return }
    Task { try? await session?.cancel() }
  }
}

extension DragOut {
  /// Makes a line of a page's list draggable.
  static func attach(to row: RowView, of page: BoardPage, drags: DragsOfShelf) {
    drags.carry(
      from: row.widget,
      GdkDragAction(rawValue: GDK_ACTION_COPY.rawValue | GDK_ACTION_MOVE.rawValue)
    ) { [weak page, weak row] in
      guard let page, let row else { return nil }
      return prepare(row, of: page)
    }
  }

  /// Prepares a drag of the row under the pointer, or of all selected rows if it is one of them.
  private static func prepare(
    _ row: RowView, of page: BoardPage
  ) -> (drag: any CarriedDrag, content: OpaquePointer)? {
    guard page.isLive, let index = row.index, let item = page.surface.list.item(at: index)
    else { return nil }
    let selected = page.surface.selection
    let items = selected.contains(item) ? page.surface.list.ordered(selected) : [item]
    guard let content = page.content(of: items) else { return nil }
    return (DragOut(items, of: page.board, report: page.report), content)
  }
}
