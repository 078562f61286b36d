import CGtk4
import DragboardClient
import ShelfModel

/// The actions of the menus.
extension ShelfWindow {
  /// Adds the actions of the menus and the keys.
  func addActions() {
    addRowActions()
    addEdits()
    addActionsOnContent()
    actions.add("new-section") { [weak self] in self?.askForSection() }
    actions.add("rename-section") { [weak self] in self?.askForName(ofSection: $0) }
    actions.add("delete-section") { [weak self] in self?.delete(section: $0) }
    actions.add("new-board") { [weak self] in self?.askForBoard() }
    actions.add("rename-board") { [weak self] in self?.askForBoardName() }
    actions.add("delete-board") { [weak self] in
      if let self, let page = current { askToDelete(page) }
    }
    actions.add("search") { [weak self] in self?.setSearching(true) }
    actions.add("escape") { [weak self] in self?.escape() }
    actions.add("close") { [weak self] in
      guard let self else { return }
      if isAtEdge { dismiss() } else { gtk_window_close(widget.of()) }
    }
    actions.add("about") { [weak self] in if let self { AboutShelf.show(over: widget) } }
  }

  private func addRowActions() {
    actions.add("edit") { [weak self] in self?.edit() }
    actions.add("rename") { [weak self] in self?.askForRowName() }
    actions.add("copy") { [weak self] in self?.current?.copySelection() }
    actions.add("pick-up") { [weak self] in
      if let self, let page = current { pickUp.pickUp(page.chosen, of: page) }
    }
    actions.add("put-down") { [weak self] in self?.pickUp.putDown() }
    actions.add("delete") { [weak self] in self?.current?.deleteSelection() }
    actions.add("move-to-section") { [weak self] section in
      if let page = self?.current { page.move(page.chosen, toSection: section) }
    }
    actions.add("stack") { [weak self] in
      if let page = self?.current { page.stack(page.chosen) }
    }
    actions.add("unstack") { [weak self] in
      if let page = self?.current { page.takeApart(stacksOf: page.chosen) }
    }
    actions.add(switch: "stack-files") { [weak self] in
      ShelfSettings.stacksFiles.toggle()
      self?.actions.set("stack-files", ShelfSettings.stacksFiles)
    }
    actions.set("stack-files", ShelfSettings.stacksFiles)
    actions.add(switch: "remove-dragged-out") { [weak self] in
      self?.current?.removesDraggedOut.toggle()
      self?.showRemoving()
    }
    actions.add(switch: "pin") { [weak self] in
      if let page = self?.current { page.togglePins(of: page.chosen) }
    }
    actions.add(switch: "lock-position") { [weak self] in
      if let page = self?.current { page.togglePositionLocks(of: page.chosen) }
    }
    actions.add(switch: "lock") { [weak self] in
      if let page = self?.current { page.toggleLocks(of: page.chosen) }
    }
  }

  /// Shows whether the board in front removes rows that are dragged out.
  func showRemoving() { actions.set("remove-dragged-out", current?.removesDraggedOut ?? false) }

  private func addEdits() {
    actions.add("paste") { [weak self] in self?.current?.paste() }
    actions.add("select-all") { [weak self] in self?.current?.selectAll() }
    actions.add("move-up") { [weak self] in self?.current?.moveSelection(down: false) }
    actions.add("move-down") { [weak self] in self?.current?.moveSelection(down: true) }
    // An entry has its own undo history. When the entry is empty, it passes the keys on to this
    // action.
    actions.add("undo") { [weak self] in if let self, !isTyping { current?.undo() } }
    actions.add("redo") { [weak self] in if let self, !isTyping { current?.redo() } }
  }

  // MARK: Sections

  private func askForSection() {
    guard let page = current else { return }
    Question.askForName(over: widget, localized("New Section"), button: localized("Create")) {
      name in
      page.edit { try await page.board.sections.insert(named: name) }
    }
  }

  private func askForName(ofSection index: Int) {
    guard let page = current, page.snapshot.sections.indices ~= index else { return }
    let name = page.snapshot.sections[index].name
    Question.askForName(
      over: widget, localized("Rename Section"), name: page.title(ofSection: name),
      button: localized("Rename")
    ) { newName in
      page.edit {
        // Other clients may have moved the section in the meantime.
        guard let index = page.snapshot.sections.firstIndex(where: { $0.name == name }) else {
          return
        }
        try await page.board.sections.rename(at: index, to: newName)
      }
    }
  }

  private func delete(section index: Int) {
    guard let page = current, page.snapshot.sections.indices ~= index else { return }
    let name = page.title(ofSection: page.snapshot.sections[index].name)
    page.edit { [weak self] in
      let revision = try await page.board.sections.delete(at: index)
      self?.report(localized("“%1” deleted", name)) { page.undo(revision) }
    }
  }

  // MARK: Boards

  private func askForBoard() {
    Question.askForName(over: widget, localized("New Board"), button: localized("Create")) {
      [weak self, connection] name in
      self?.perform { [weak self] in
        let board = try await connection.createBoard(named: name)
        self?.showWhenItComes(board.id)
      }
    }
  }

  private func askForBoardName() {
    guard let name = currentName else { return }
    Question.askForName(
      over: widget, localized("Rename Board"), name: BoardTabs.title(of: name),
      button: localized("Rename")
    ) { [weak self, connection] newName in
      self?.perform {
        try await connection.renameBoard(named: name, to: newName)
      }
    }
  }

  /// Asks for a confirmation to delete the board of a page.
  func askToDelete(_ page: BoardPage) {
    guard let name = tabs.pages.first(where: { $0.page === page })?.name else { return }
    let title = BoardTabs.title(of: name)
    let count = page.snapshot.count
    let rows =
      count == 0
      ? localized("The board is empty.")
      : counted("The board has one row.", "The board has %1 rows.", count)
    Question.confirm(
      over: widget, localized("Delete “%1”?", title), rows, button: localized("Delete")
    ) { [weak self] in self?.delete(boardNamed: name) }
  }

  private func delete(boardNamed name: String) {
    perform { [weak self, connection] in
      try await connection.deleteBoard(named: name)
      self?.report(localized("“%1” deleted", BoardTabs.title(of: name))) {
        [weak self, connection] in
        self?.perform { [weak self] in
          let board = try await connection.restoreBoard(named: name)
          self?.showWhenItComes(board.id)
        }
      }
    }
  }

  private func perform(_ body: @escaping () async throws -> Void) {
    Task { [weak self] in
      do { try await body() } catch { self?.report(error) }
    }
  }
}
