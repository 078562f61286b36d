import CGtk4
import DragboardClient
import ShelfModel

/// Copying to the desktop's clipboard, and pasting from it.
extension BoardPage {
  /// Returns a GdkContentProvider for the rows, with a reference for the caller, and its source.
  ///
  /// Rows whose facts are unknown are omitted.
  func content(
    of items: [ItemID], isCopy: Bool = false
  ) -> (provider: OpaquePointer, source: RowsOfBoard)? {
    let addresses = items.flatMap { previews[$0]?.addresses ?? [] }
    let rows = items.compactMap { self.rows[$0] }
    let source = RowsOfBoard(rows, of: board)
    let provider = RowContentProvider.provider(
      of: OutgoingTypes.of(rows, isCopy: isCopy),
      areFiles: addresses.allSatisfy { Addresses.path(of: $0) != nil }
        && rows.allSatisfy { $0.mayShareFiles(of: Application.shelf.id) },
      from: source, transfers)
    return provider.map { ($0, source) }
  }

  private var clipboard: OpaquePointer? { gtk_widget_get_clipboard(widget) }

  /// Copies the selected rows.
  func copySelection() { copy(chosen) }

  /// Copies rows with all their types.
  func copy(_ items: [ItemID]) {
    guard let clipboard, let content = content(of: items, isCopy: true)?.provider else { return }
    gdk_clipboard_set_content(clipboard, content.of())
    g_object_unref(content.object)
  }

  /// Inserts the content of the clipboard below the selected row, or at the end without one.
  func paste() {
    guard isLive, let clipboard else { return }
    let content = ForeignContent(clipboard: clipboard)
    guard !content.types.offers.isEmpty else { return report(localized("The clipboard is empty.")) }
    edit { [weak self, board] in
      let incoming = try await IncomingDrag(content, on: board.connection)
      await incoming.split()
      try await self?.drop(incoming.session.id)
    }
  }
}
