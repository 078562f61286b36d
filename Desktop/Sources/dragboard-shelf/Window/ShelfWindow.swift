import CGtk4
import CShelf
import DragboardClient
import ShelfModel

/// The shelf's window: a tab for each board, a search bar, and error messages.
final class ShelfWindow {
  /// The GtkWindow.
  let widget: Widget
  let connection: DragboardConnection
  /// The actions of its menus.
  private(set) lazy var actions = Actions(of: widget.opaque)
  /// The button that opens the menu of the window.
  let menuButton = made(gtk_menu_button_new())
  /// The rows of the latest menu.
  var menuRows: [ItemID] = []
  /// The section of the latest menu.
  var menuSection = 0
  /// The position of the latest menu.
  var menuPlace: Place?
  /// The area below the header, which is the parent of popovers.
  let body = Make.box(GTK_ORIENTATION_VERTICAL)
  /// The board whose tab comes to the front when it appears.
  private var expected: BoardID?
  private let notebook = made(gtk_notebook_new())
  private let searchBar = made(gtk_search_bar_new())
  private let searchEntry = made(gtk_search_entry_new())
  /// The drag that the pointer carries from this window.
  let drags = DragsOfShelf()
  private let toast = Toast()
  private lazy var waiting = WaitingStrip(on: connection, drags: drags) { [weak self] in
    self?.report($0)
  }
  private let status = StatusView()
  private let contents = made(gtk_stack_new())
  /// The bar at the top.
  let header = made(gtk_header_bar_new())
  /// The placement at the screen's edge; nil for an ordinary window.
  var dock: EdgeDock?
  private var pages: [(page: BoardPage, name: String)] = []
  private var editToggle: Widget?
  private var searchToggle: Widget?
  private var events: Task<Void, Never>?

  /// Creates a window of an application, on a connection to the bus, at a side of the screen if
  /// possible.
  init(of application: OpaquePointer, on connection: DragboardConnection, at side: ScreenSide?) {
    self.connection = connection
    widget = made(gtk_application_window_new(application.of()))
    gtk_window_set_title(widget.of(), "Shelf")
    gtk_window_set_icon_name(widget.of(), "org.dragboard.Shelf")
    gtk_widget_add_css_class(widget, "shelf")
    gtk_window_set_default_size(widget.of(), 380, 560)
    makeHeader()
    addActions()
    AboutShelf.addKeys(to: widget)
    makeContents()
    sit(at: side)
    Keyboard(self).attach(to: widget)
    listen()
    refreshBoards()
  }

  /// The page of the front tab.
  var current: BoardPage? {
    let index = Int(gtk_notebook_get_current_page(notebook.opaque))
    return pages.indices ~= index ? pages[index].page : nil
  }

  // MARK: Parts

  private func makeHeader() {
    let edit = Make.toggle(icon: "document-edit-symbolic", label: "Edit") { [weak self] isOn in
      self?.current?.setEditing(isOn)
    }
    let search = Make.toggle(icon: "edit-find-symbolic", label: "Search") { [weak self] isOn in
      self?.setSearching(isOn)
    }
    gtk_menu_button_set_icon_name(menuButton.opaque, "open-menu-symbolic")
    gtk_menu_button_set_primary(menuButton.opaque, 1)
    gtk_menu_button_set_has_frame(menuButton.opaque, 0)
    gtk_widget_set_tooltip_text(menuButton, "Main menu")
    shelf_set_accessible_label(menuButton, "Main menu")
    gtk_header_bar_pack_start(header.opaque, edit)
    gtk_header_bar_pack_end(header.opaque, menuButton)
    gtk_header_bar_pack_end(header.opaque, search)
    (editToggle, searchToggle) = (edit, search)
  }

  private func makeContents() {
    gtk_search_bar_set_child(searchBar.opaque, searchEntry)
    gtk_search_bar_connect_entry(searchBar.opaque, searchEntry.opaque)
    gtk_widget_set_hexpand(searchEntry, 1)
    shelf_set_accessible_label(searchEntry, "Search")
    connect(searchEntry, "search-changed") { [weak self] _ in
      guard let self else { return }
      current?.search(shelf_text(searchEntry).map { String(cString: $0) } ?? "")
    }
    connect(searchBar, "notify::search-mode-enabled") { [weak self] _ in self?.didSetSearching() }
    gtk_notebook_set_scrollable(notebook.opaque, 1)
    gtk_notebook_set_show_border(notebook.opaque, 0)
    connect(notebook, "switch-page") { [weak self] _ in self?.leavePage() }
    connect(notebook, "notify::page") { [weak self] _ in self?.didShowPage() }
    gtk_stack_add_named(contents.opaque, notebook, "boards")
    gtk_stack_add_named(contents.opaque, status.widget, "status")
    let overlay = made(gtk_overlay_new())
    gtk_overlay_set_child(overlay.opaque, contents)
    gtk_overlay_add_overlay(overlay.opaque, toast.widget)
    overlay.expand()
    waiting.onPut = { [weak self] in self?.current?.put($0) }
    showState(.loading)
    for part in [searchBar, overlay, waiting.widget] { gtk_box_append(body.of(), part) }
  }

  /// Stops following the bus, before the window is destroyed.
  func close() {
    events?.cancel()
    waiting.close()
    for page in pages.map(\.page) { page.close() }
  }

  /// Ends the search and the edit mode of a page when another one comes to the front.
  private func leavePage() {
    setSearching(false)
    leaveEditMode()
  }

  /// Leaves edit mode.
  func leaveEditMode() {
    if let editToggle { gtk_toggle_button_set_active(editToggle.of(), 0) }
  }

  private func showState(_ state: StatusView.State?) {
    if let state { status.show(state) }
    gtk_stack_set_visible_child_name(contents.opaque, state == nil ? "boards" : "status")
  }

  /// Shows an error message.
  func report(_ message: String) { toast.show(message) }

  /// Opens or closes the search.
  func setSearching(_ isOn: Bool) {
    guard isSearching != isOn else { return }
    gtk_search_bar_set_search_mode(searchBar.opaque, isOn ? 1 : 0)
  }

  /// Handles the opening or closing of the search.
  private func didSetSearching() {
    if let searchToggle { gtk_toggle_button_set_active(searchToggle.of(), isSearching ? 1 : 0) }
    if isSearching {
      gtk_widget_grab_focus(searchEntry)
    } else {
      shelf_set_text(searchEntry.object, "")
      current?.search("")
    }
  }

  /// Whether the search is open.
  var isSearching: Bool { gtk_search_bar_get_search_mode(searchBar.opaque) != 0 }

  /// Whether the search has the keyboard.
  var isSearchFocused: Bool {
    gtk_window_get_focus(widget.of()).map { gtk_widget_is_ancestor($0, searchEntry) != 0 } ?? false
  }

  // MARK: Boards

  private func listen() {
    events = Task { [weak self, connection] in
      do {
        for try await event in await connection.events() {
          switch event {
          case .boardAdded, .boardRemoved, .boardRenamed, .daemonCame, .missed:
            self?.refreshBoards()
          case .daemonLeft: if self?.pages.isEmpty ?? true { self?.showState(.noDaemon) }
          case .dragBegan, .dragEnded: break
          }
        }
      } catch {
        self?.showState(.noDaemon)
      }
    }
  }

  /// Updates the tabs to the boards of the daemon.
  private func refreshBoards() {
    Task { [weak self, connection] in
      do {
        let boards = try await connection.boards()
        self?.show(boards.map { ($0.board, $0.info.name) })
      } catch {
        if self?.pages.isEmpty ?? true { self?.showState(.noDaemon) }
      }
    }
  }

  /// Shows boards in tabs: "default" first, the others by name.
  ///
  /// Remaining tabs are not changed.
  private func show(_ boards: [(board: Board, name: String)]) {
    let ids = Set(boards.map(\.board.id))
    for page in pages.map(\.page) where !ids.contains(page.board.id) { remove(page) }
    let sorted =
      boards.filter { $0.name == DragboardConnection.defaultBoard }
      + boards.filter { $0.name != DragboardConnection.defaultBoard }
    for (index, (board, name)) in sorted.enumerated()
    where !pages.contains(where: { $0.page.board.id == board.id }) {
      add(board, named: name, at: index)
    }
    for (board, name) in boards { rename(board, to: name) }
    gtk_notebook_set_show_tabs(notebook.opaque, pages.count > 1 ? 1 : 0)
    if let expected { showWhenItComes(expected) }
    didShowPage()
    showState(pages.isEmpty ? .noDaemon : nil)
  }

  private func add(_ board: Board, named name: String, at index: Int) {
    let page = BoardPage(
      board, named: name, drags: drags, report: { [weak self] in self?.report($0) },
      didVanish: { [weak self] in self?.refreshBoards() })
    page.openMenu = { [weak self, weak page] row, x, y in
      if let self, let page { openMenu(of: row, on: page, x: x, y: y) }
    }
    page.surface.onActivate = { [weak self, weak page] item in
      if let page { self?.editText(of: item, on: page) }
    }
    gtk_notebook_insert_page(
      notebook.opaque, page.widget, gtk_label_new(Self.tab(of: name)), gint(index))
    pages.insert((page, name), at: min(index, pages.count))
  }

  /// Returns the title of the tab of a board.
  private static func tab(of name: String) -> String {
    name == DragboardConnection.defaultBoard ? "Shelf" : name
  }

  private func rename(_ board: Board, to name: String) {
    guard let index = pages.firstIndex(where: { $0.page.board.id == board.id }),
      pages[index].name != name
    else { return }
    pages[index].name = name
    pages[index].page.rename(name)
    gtk_notebook_set_tab_label_text(
      notebook.opaque, pages[index].page.widget, Self.tab(of: name))
  }

  /// Brings a board's tab to the front, now or when it appears.
  func showWhenItComes(_ board: BoardID) {
    let index = pages.firstIndex { $0.page.board.id == board }
    expected = index == nil ? board : nil
    if let index { gtk_notebook_set_current_page(notebook.opaque, gint(index)) }
  }

  /// The name of the board in the front tab; nil without a tab, and for "default", which cannot be
  /// renamed.
  var currentName: String? {
    guard let page = current, let name = pages.first(where: { $0.page === page })?.name else {
      return nil
    }
    return name == DragboardConnection.defaultBoard ? nil : name
  }

  /// Handles a change of the front tab.
  private func didShowPage() {
    for action in ["rename-board", "delete-board"] { actions.enable(action, currentName != nil) }
  }

  private func remove(_ page: BoardPage) {
    guard let index = pages.firstIndex(where: { $0.page === page }) else { return }
    page.close()
    pages.remove(at: index)
    gtk_notebook_remove_page(notebook.opaque, gint(index))
  }
}
