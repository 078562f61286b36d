import CGtk4
import DragboardClient
import ShelfModel

/// Copying to the desktop's clipboard, and pasting from it.
extension BoardPage {
  /// Returns a GdkContentProvider for the rows, with a reference for the caller, its source, and the
  /// name of the file that a file manager can ask the shelf to write.
  ///
  /// Rows whose facts are unknown yet count as files.
  func content(
    of items: [ItemID], isDrag: Bool = false
  ) -> (provider: OpaquePointer, source: RowsOfBoard, file: FileName?)? {
    let addresses = addresses(of: items)
    let rows = items.compactMap { self.rows[$0] }
    let isKnown = rows.count == items.count
    let source = RowsOfBoard(items, known: rows, of: self)
    let file = isDrag && isKnown ? RowContentProvider.fileToSave(rows) : nil
    let unknown =
      isKnown ? [] : [RowFacts(id: items[0], types: [ContentType("application/octet-stream")])]
    let provider = RowContentProvider.provider(
      of: OutgoingTypes.of(rows + unknown, isCopy: !isDrag, isSaved: file != nil),
      areFiles: isKnown && addresses.allSatisfy { Addresses.path(of: $0) != nil }
        && rows.allSatisfy { $0.mayShareFiles(of: Application.isShelf) },
      from: source, transfers)
    return provider.map { ($0, source, file) }
  }

  private var clipboard: OpaquePointer? { gtk_widget_get_clipboard(widget) }

  /// Copies the selected rows.
  func copySelection() { copy(chosen) }

  /// Copies rows with all their types.
  func copy(_ items: [ItemID]) {
    guard let clipboard, let content = content(of: items)?.provider else { return }
    gdk_clipboard_set_content(clipboard, content.of())
    g_object_unref(content.object)
  }

  /// Inserts the content of the clipboard below the selected row, or at the end without one.
  func paste() {
    guard isLive, let clipboard else { return }
    let content = ForeignContent(clipboard: clipboard)
    guard !content.types.offers.isEmpty else { return report(localized("The clipboard is empty.")) }
    edit { [weak self, board] in
      let incoming = try await IncomingDrag(content, on: board.connection, as: .shelf)
      await incoming.split()
      _ = try await self?.drop(incoming.session.id)
    }
  }
}
