import CGtk4
import CShelf
import DragboardClient
import ShelfModel

extension ShelfWindow {
  /// Whether the user is typing a text.
  var isTyping: Bool {
    gtk_window_get_focus(widget.of()).map { shelf_takes_keys($0) != 0 } ?? false
  }

  /// Opens an editor for the text of the row with the cursor.
  ///
  /// For another kind of row, asks for the file name.
  func edit() {
    guard let page = current, let item = page.surface.cursor,
      !page.setStackAtCursor(open: true)
    else { return }
    if page.rows[item]?.canBeRenamed == true { return askForName(of: item, on: page) }
    editText(of: item, on: page)
  }

  /// Asks for the file name of the chosen row.
  func askForRowName() {
    guard let page = current, let item = page.chosen.first else { return }
    askForName(of: item, on: page)
  }

  private func askForName(of item: ItemID, on page: BoardPage) {
    guard let facts = page.rows[item], facts.canBeRenamed else { return }
    Question.askForName(
      over: widget, localized("Rename Row"), name: "\(facts.fileName)", maxLength: 255,
      button: localized("Rename")
    ) { name in
      page.edit { try await page.board.setName(of: item, to: name) }
    }
  }

  /// Opens an editor for a row's text.
  func editText(of item: ItemID, on page: BoardPage) {
    guard let facts = page.rows[item] else { return }
    guard facts.isEditable else { return report(localized("This row is locked.")) }
    guard facts.kind == .text else { return report(localized("Only text can be edited.")) }
    page.edit { [weak self] in
      let text = try await RowText.read(facts, on: page.board)
      guard let self, let row = page.surface.row(of: item) else { return }
      guard !text.isCut, ShownText.isEditable(text.words) else {
        return report(
          localized("The shelf cannot show the whole text, so it cannot be edited here."))
      }
      TextEditor(
        at: row.widget, in: body, text.words, losesFormat: facts.isFormatted,
        save: { page.setText(of: item, to: $0) }, didClose: { self.returnKeyboard() })
    }
  }

  /// Returns the keyboard focus to the list after a popover has closed, unless the user is typing.
  ///
  /// Without this function, GTK would give the focus to the first button.
  func returnKeyboard() {
    if !isTyping { current?.surface.enter() }
  }

  /// Opens a row: a closed stack in place, a text in the editor, content that can contain scripts in
  /// the large preview, any other row with its application.
  func open(_ item: ItemID, on page: BoardPage) {
    if page.isOpenStack(of: item) == false { return page.setOpen(true, stackOf: item) }
    if page.rows[item]?.isText == true { return editText(of: item, on: page) }
    if page.mayRunScripts(item) { return preview() }
    page.open(item)
  }

  /// Performs the first of these actions that is possible.
  ///
  /// The actions are: leave the search, put back picked-up rows, clear the selection, close a window at the screen's edge.
  func escape() {
    guard let page = current else { return }
    if isSearching { return setSearching(false) }
    if pickUp.cancel() { return }
    if page.surface.selection.isEmpty { dismiss() } else { page.select([]) }
  }
}
