import CGtk4
import CShelf
import DragboardClient
import ShelfModel

/// The menus of the window, the rows and the sections.
extension ShelfWindow {
  /// Makes the button in the header open the main menu, whose entries depend on the state at that
  /// time.
  func makePrimaryMenu() {
    gtk_menu_button_set_create_popup_func(
      menuButton.opaque,
      { button, data in
        guard let window = held(data, as: ShelfWindow.self) else { return }
        window.showRemoving()
        gtk_menu_button_set_popover(button, window.primaryMenu.popover())
      }, borrow(self), nil)
  }

  private var primaryMenu: Menu {
    Menu(sections: [
      [
        .action(localized("Paste"), "win.paste"), .action(localized("Undo"), "win.undo"),
        .action(localized("Redo"), "win.redo"),
      ],
      Self.boardActions + [.action(localized("New Section…"), "win.new-section")]
        + sectionActions + [.action(localized("Delete All Rows"), "win.clear")],
      [
        .action(localized("Stack Files Dropped Together"), "win.stack-files"),
        .action(localized("Remove Rows After Dragging Out"), "win.remove-dragged-out"),
        .submenu(
          localized("Screen Edge"),
          Menu(sections: [
            [
              .action(localized("Ordinary Window"), "app.edge::none"),
              .action(localized("Left"), "app.edge::left"),
              .action(localized("Right"), "app.edge::right"),
            ]
          ])),
      ],
      [
        .action(localized("Preferences"), "app.settings"),
        .action(localized("Keyboard Shortcuts"), "win.show-help-overlay"),
        .action(localized("About Shelf"), "win.about"),
      ], isAtEdge ? [.action(localized("Quit"), "window.close")] : [],
    ])
  }

  /// The actions of the menus of headers, which the keyboard does not reach.
  private var sectionActions: [Menu.Entry] {
    guard let page = current, page.snapshot.sections.count > 1 else { return [] }
    return [
      .submenu(
        localized("Rename Section"), Self.menu(ofSectionsOf: page, action: "win.rename-section")),
      .submenu(
        localized("Delete Section"), Self.menu(ofSectionsOf: page, action: "win.delete-section")),
    ]
  }

  /// Returns the menu of an action on one of a board's sections.
  private static func menu(ofSectionsOf page: BoardPage, action: String) -> Menu {
    let sections = page.snapshot.sections
    return Menu(sections: [
      sections.indices.map {
        .action(
          page.title(ofSection: sections[$0].name).doublingUnderscores, "\(action)(uint32 \($0))")
      }
    ])
  }

  private static let boardActions = [
    Menu.Entry.action(localized("New Board…"), "win.new-board"),
    .action(localized("Rename Board…"), "win.rename-board"),
    .action(localized("Delete Board…"), "win.delete-board"),
  ]

  /// The menu of a tab.
  static let boardMenu = Menu(sections: [boardActions])

  /// Opens the menu of a line of the list, at a position in the line.
  func openMenu(of row: RowView, on page: BoardPage, x: Double, y: Double) {
    guard page.isLive, let index = row.index else { return }
    let list = page.surface.list
    if let item = list.item(at: index) {
      if !page.surface.selection.contains(item) { page.select(Set(list.items(at: index))) }
      page.surface.cursor = item
      showStates(on: page)
      popUp(
        rowMenu(of: page), of: page.name(of: page.chosen), at: body.place((x, y), of: row.widget))
    } else if let place = list.place(at: index) {
      let name = page.title(ofSection: page.snapshot.sections[place.section].name)
      popUp(
        Self.menu(ofSection: place.section), of: name, at: body.place((x, y), of: row.widget))
    }
  }

  private func showStates(on page: BoardPage) {
    let facts = page.chosen.compactMap { page.rows[$0] }
    actions.set("pin", !facts.isEmpty && facts.allSatisfy(\.isPinned))
    actions.set("lock-position", !facts.isEmpty && facts.allSatisfy { !$0.isMovable })
    actions.set("lock", !facts.isEmpty && facts.allSatisfy { !$0.isEditable })
  }

  /// Returns the menu of the chosen rows, which has only applicable actions.
  private func rowMenu(of page: BoardPage) -> Menu {
    let facts = page.chosen.compactMap { page.rows[$0] }
    let isFree = facts.contains { $0.isEditable }
    return Menu(sections: [
      openingActions(facts, on: page), copyingActions(facts, on: page), stackActions(on: page),
      (page.snapshot.sections.count > 1 && facts.contains { $0.isMovable }
        ? [
          .submenu(
            localized("Move to Section"),
            Self.menu(ofSectionsOf: page, action: "win.move-to-section"))
        ] : [])
        + (tabs.pages.count > 1
          ? [.submenu(localized("Move to Board"), Menu(sections: [otherBoards(than: page)]))] : []),
      (isFree ? [.action(localized("Delete"), "win.delete")] : []) + [
        .action(localized("Undo"), "win.undo")
      ],
      [
        .action(localized("Pin: Stays When All Rows Are Deleted"), "win.pin"),
        .action(localized("Lock Position: Cannot Be Moved"), "win.lock-position"),
        .action(localized("Lock: Cannot Be Changed or Deleted"), "win.lock"),
      ],
    ])
  }

  private func stackActions(on page: BoardPage) -> [Menu.Entry] {
    let (chosen, list) = (page.chosen, page.surface.list)
    let stacks = Set(chosen.map { list.index(of: $0).flatMap(list.stack(at:)) ?? [] })
    let isOneStack = stacks.count == 1 && stacks != [[]]
    return (chosen.count > 1 && !isOneStack ? [.action(localized("Stack"), "win.stack")] : [])
      + (stacks.isSubset(of: [[]]) ? [] : [.action(localized("Take Stack Apart"), "win.unstack")])
  }

  private func openingActions(_ facts: [RowFacts], on page: BoardPage) -> [Menu.Entry] {
    let preview = facts.count == 1 ? [Menu.Entry.action(localized("Preview"), "win.preview")] : []
    let edit =
      facts.count == 1 && facts[0].isEditable && facts[0].kind == .text
      ? [Menu.Entry.action(localized("Edit Text"), "win.edit")] : []
    guard facts.contains(where: { !$0.isText }) else { return edit + preview }
    let rename = facts.count == 1 && facts[0].canBeRenamed
    let isForBrowser = facts.contains { page.mayRunScripts($0.id) }
    let open = isForBrowser ? localized("Open in Browser") : localized("Open")
    return [.action(open, "win.open")] + openingWith(facts, on: page) + edit + preview
      + (rename ? [.action(localized("Rename…"), "win.rename")] : [])
  }

  /// The choice of an application, if all rows have one type.
  private func openingWith(_ facts: [RowFacts], on page: BoardPage) -> [Menu.Entry] {
    page.typeToOpen(facts) == nil ? [] : [.action(localized("Open With…"), "win.open-with")]
  }

  private func copyingActions(_ facts: [RowFacts], on page: BoardPage) -> [Menu.Entry] {
    let addresses = page.addresses(of: page.chosen)
    let areFiles = !addresses.isEmpty && addresses.allSatisfy { Addresses.path(of: $0) != nil }
    var entries = [
      Menu.Entry.action(localized("Copy"), "win.copy"),
      .action(localized("Pick Up"), "win.pick-up"),
    ]
    if pickUp.canPutDown { entries.append(.action(localized("Put Down Below"), "win.put-down")) }
    if !addresses.isEmpty {
      entries.append(
        .action(areFiles ? localized("Copy Path") : localized("Copy Link"), "win.copy-addresses"))
    }
    if areFiles { entries.append(.action(localized("Show in Files"), "win.show-in-folder")) }
    if facts.contains(where: { $0.kind != .addresses }) {
      entries.append(.action(localized("Save As…"), "win.save-as"))
    }
    return entries
  }

  private func otherBoards(than page: BoardPage) -> [Menu.Entry] {
    tabs.pages.enumerated().filter { $0.element.page !== page }.map { index, other in
      .action(
        BoardTabs.title(of: other.name).doublingUnderscores, "win.move-to-board(uint32 \(index))")
    }
  }

  private static func menu(ofSection index: Int) -> Menu {
    Menu(sections: [
      [
        .action(localized("Rename Section…"), "win.rename-section(uint32 \(index))"),
        .action(localized("Delete Section"), "win.delete-section(uint32 \(index))"),
      ]
    ])
  }

  private func popUp(_ menu: Menu, of name: String, at place: Point) {
    let popover = menu.popover()
    shelf_set_accessible_label(popover, name)
    body.own(popover: popover, pointingAt: place) { [weak self] in self?.returnKeyboard() }
    gtk_popover_set_has_arrow(popover.of(), 0)
    gtk_widget_set_halign(popover, GTK_ALIGN_START)
    gtk_popover_popup(popover.of())
  }
}
