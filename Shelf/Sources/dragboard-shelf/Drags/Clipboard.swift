import CGtk4
import DragboardClient
import ShelfModel

/// Copying to the desktop's clipboard, and pasting from it.
extension BoardPage {
  /// A GdkContentProvider of rows of which everything is known; its reference is handed over.
  func content(of items: [ItemID]) -> OpaquePointer? {
    let addresses = items.flatMap { previews[$0]?.addresses ?? [] }
    let rows = items.compactMap { self.rows[$0] }
    return RowContent.provider(
      of: rows, on: board,
      areFiles: addresses.allSatisfy { Addresses.path(of: $0) != nil }
        && rows.allSatisfy { $0.mayShareFiles(of: Application.shelf.id) })
  }

  private var clipboard: OpaquePointer? { gtk_widget_get_clipboard(widget) }

  /// Holds the selected rows out to whoever pastes.
  func copySelection() { copy(surface.list.ordered(surface.selection)) }

  /// Holds rows out to whoever pastes, with all their types.
  func copy(_ items: [ItemID]) {
    guard let clipboard, let content = content(of: items) else { return }
    gdk_clipboard_set_content(clipboard, content.of())
    g_object_unref(content.object)
  }

  /// Inserts what the clipboard holds below the selected row; at the end where there is none.
  func paste() {
    guard isLive, let clipboard else { return }
    let content = ForeignContent(clipboard: clipboard)
    guard !content.types.offers.isEmpty else { return report("The clipboard is empty.") }
    edit { [weak self, board] in
      let incoming = try await IncomingDrag(content, on: board.connection)
      await incoming.split()
      try await self?.drop(incoming.session.id)
    }
  }
}
