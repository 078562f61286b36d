import CGtk4
import DragboardClient
import ShelfModel

/// The actions of the menus.
extension ShelfWindow {
  /// Adds the actions of the menus.
  func addActions() {
    addRowActions()
    actions.add("new-section") { [weak self] in self?.askForSection() }
    actions.add("rename-section") { [weak self] in self?.askForSectionName() }
    actions.add("delete-section") { [weak self] in self?.deleteSection() }
    actions.add("new-board") { [weak self] in self?.askForBoard() }
    actions.add("rename-board") { [weak self] in self?.askForBoardName() }
    actions.add("delete-board") { [weak self] in self?.askToDeleteBoard() }
    actions.add("about") { [weak self] in if let self { AboutShelf.show(over: widget) } }
  }

  private func addRowActions() {
    actions.add("edit") { [weak self] in
      if let self, let page = current, let item = menuRows.first { editText(of: item, on: page) }
    }
    actions.add("copy") { [weak self] in
      if let self { current?.copy(menuRows) }
    }
    actions.add("delete") { [weak self] in
      if let self { current?.delete(menuRows) }
    }
    actions.add("move-to-section") { [weak self] section in
      if let self { current?.move(menuRows, toSection: section) }
    }
    actions.add(switch: "pin") { [weak self] in
      if let self { current?.togglePins(of: menuRows) }
    }
    actions.add(switch: "lock") { [weak self] in
      if let self { current?.toggleLocks(of: menuRows) }
    }
  }

  // MARK: Sections

  private func askForSection() {
    guard let page = current else { return }
    Question(
      at: belowHeader, in: body, "Name of the new section", name: "", button: "Create"
    ) { name in
      page.edit { try await page.board.sections.insert(named: name) }
    }
  }

  private func askForSectionName() {
    guard let page = current, let place = menuPlace,
      page.snapshot.sections.indices ~= menuSection
    else { return }
    let name = page.snapshot.sections[menuSection].name
    Question(
      at: place, in: body, "Name of the section", name: name, button: "Rename"
    ) { newName in
      page.edit {
        // Other clients may have moved it meanwhile.
        guard let index = page.snapshot.sections.firstIndex(where: { $0.name == name }) else {
          return
        }
        try await page.board.sections.rename(at: index, to: newName)
      }
    }
  }

  private func deleteSection() {
    guard let page = current, page.snapshot.sections.indices ~= menuSection else { return }
    let section = page.snapshot.sections[menuSection]
    let index = menuSection
    page.edit { [weak self] in
      try await page.board.sections.delete(at: index)
      self?.report("“\(section.name)” was deleted. Ctrl+Z brings it back.")
    }
  }

  // MARK: Boards

  private func askForBoard() {
    Question(
      at: belowHeader, in: body, "Name of the new board", name: "", button: "Create"
    ) { [weak self] in
      guard let self else { return }
      let name = $0
      perform { [weak self, connection] in
        let board = try await connection.createBoard(named: name)
        self?.showWhenItComes(board.id)
      }
    }
  }

  private func askForBoardName() {
    guard let name = currentName else { return }
    Question(
      at: belowHeader, in: body, "Name of the board", name: name, button: "Rename"
    ) { [weak self] in
      guard let self else { return }
      let newName = $0
      perform { [connection] in
        try await connection.renameBoard(named: name, to: newName)
      }
    }
  }

  private func askToDeleteBoard() {
    guard let name = currentName, let page = current else { return }
    let count = page.snapshot.count
    let rows = count == 1 ? "its row" : "its \(count) rows"
    let text =
      count == 0
      ? "Delete the board “\(name)”? It cannot be brought back."
      : "Delete the board “\(name)” with \(rows)? They cannot be brought back."
    Question(at: belowHeader, in: body, text, button: "Delete") { [weak self] in
      guard let self else { return }
      perform { [connection] in try await connection.deleteBoard(named: name) }
    }
  }

  /// The position of questions that concern the whole window.
  private var belowHeader: Place { (x: body.foot.x, y: 0) }

  private func perform(_ body: @escaping () async throws -> Void) {
    Task { [weak self] in
      do { try await body() } catch { self?.report("\(error)") }
    }
  }
}
