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
  /// The rows are deleted if the user has requested a move, or if the board removes rows that are
  /// dragged out, and only after the other application has received them. Many file managers prefer
  /// a move within a file system, which is no request of the user. After a cancelled transfer, the
  /// rows are not deleted: X11 does not report to the other application that its data is
  /// incomplete.
  func conclude(_ end: DragEnd) {
    guard !wasDroppedInside else { return }
    guard !content.hasFailed, end.isAccepted else { return cancel() }
    let isMove = end.isMove && end.isMoveRequested
    page.edit { [self] in
      if let session = await session {
        try? await session.accept(isMove ? .move : .copy, as: .shelf).finish()
      }
      if isMove { return try await page.removeMoved(items) }
      guard page.removesDraggedOut, content.hasDelivered else { return }
      try await page.removeDraggedOut(page.facts(of: items).filter(\.leaves).map(\.id))
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
    return prepare(
      selected.contains(item) ? list.ordered(selected) : list.items(at: index), of: page)
  }

  /// Lets the user drag all rows of the page in front by a widget.
  static func attachAll(
    to widget: Widget, drags: DragsOfShelf, _ page: @escaping () -> BoardPage?
  ) {
    drags.carry(from: widget) {
      guard let page = page(), page.isLive else { return nil }
      let list = page.surface.list
      return prepare(list.entries.indices.flatMap(list.items(at:)), of: page)
    }
  }

  private static func prepare(_ items: [ItemID], of page: BoardPage) -> DragsOfShelf.Prepared? {
    guard !items.isEmpty, let content = page.content(of: items, isDrag: true) else { return nil }
    return DragsOfShelf.Prepared(
      drag: DragOut(items, of: page, from: content.source), content: content.provider,
      mayMove: mayMove(items, of: page), fileName: content.file,
      writer: RowContentProvider(content.source, page.transfers),
      dim: { [weak page] isDragged in page?.surface.dragged = isDragged ? Set(items) : [] })
  }

  /// Returns whether a drop may move rows.
  ///
  /// Under Wayland, the other application can choose a move although the user has not requested it.
  /// So files can only be moved there if Shift is held at the beginning of the drag.
  private static func mayMove(_ items: [ItemID], of page: BoardPage) -> Bool {
    guard items.allSatisfy({ page.rows[$0]?.leaves ?? false }) else { return false }
    guard let display = gdk_display_get_default(), shelf_x11_is_display(display) == 0 else {
      return true
    }
    let hasFiles = items.contains { item in
      let addresses = page.addresses(of: [item])
      // As long as the addresses have not been read, they may be those of files.
      guard !addresses.isEmpty else { return page.rows[item]?.types.contains(.uriList) ?? true }
      return addresses.contains { Addresses.path(of: $0) != nil }
    }
    return !hasFiles || ModifierKeys.areHeld(GDK_SHIFT_MASK)
  }
}
