import CGtk4
import CShelf
import DragboardClient
import ShelfModel

/// A drag of rows from the shelf, with a drag session on the bus.
final class DragOut: CarriedDrag {
  let items: [ItemID]
  var wasDroppedInside = false
  var source: BoardPage? { page }
  private let page: BoardPage
  private let content: RowsOfBoard
  private let beginning: Task<DragSession?, Never>

  /// Begins a drag of rows of a page.
  ///
  /// - Parameters:
  ///   - items: the rows.
  ///   - page: the page.
  ///   - content: the source of the rows' content.
  init(_ items: [ItemID], of page: BoardPage, from content: RowsOfBoard) {
    self.items = items
    self.content = content
    self.page = page
    beginning = Task { try? await page.beginDrag(of: items) }
  }

  var session: DragSession? {
    get async { await beginning.value }
  }

  /// Ends the drag after a drop.
  ///
  /// If the drop is a move, the rows are deleted. After a cancelled transfer, they are not deleted:
  /// X11 does not report to the other application that its data is incomplete.
  func conclude(isMove: Bool) {
    guard !wasDroppedInside else { return }
    guard !content.hasFailed else { return cancel() }
    page.edit { [self] in
      if let session = await session {
        try? await session.accept(isMove ? .move : .copy, as: .shelf).finish()
      }
      if isMove { try await page.removeMoved(items) }
    }
  }

  func concludeMove() {
    Task { try? await session?.accept(.move, as: .shelf).finish() }
  }

  func cancel() {
    guard !wasDroppedInside else { return }
    Task { try? await session?.cancel() }
  }
}

extension DragOut {
  /// Makes a line of a page's list draggable.
  static func attach(to row: RowView, of page: BoardPage, drags: DragsOfShelf) {
    drags.carry(from: row.widget) { [weak page, weak row] in
      guard let page, let row else { return nil }
      return prepare(row, of: page)
    }
  }

  /// Prepares a drag of the row or stack under the pointer.
  ///
  /// If it is selected, prepares a drag of all selected rows. A locked or pinned row is only
  /// copied, because a file manager would move the row's file.
  private static func prepare(_ row: RowView, of page: BoardPage) -> DragsOfShelf.Prepared? {
    let list = page.surface.list
    guard page.isLive, let index = row.index, let item = list.item(at: index) else { return nil }
    let selected = page.surface.selection
    let items = selected.contains(item) ? list.ordered(selected) : list.items(at: index)
    guard let (provider, source) = page.content(of: items) else { return nil }
    let mayMove = items.allSatisfy { page.rows[$0]?.leaves ?? false }
    return (DragOut(items, of: page, from: source), provider, mayMove)
  }
}
