import CGtk4
import CShelf
import DragboardClient
import Files
import ShelfModel

/// The shelf's window: a tab for each board, a search bar, and toasts.
final class ShelfWindow {
  /// The AdwApplicationWindow.
  let widget: Widget
  let connection: DragboardConnection
  /// The actions of its menus.
  private(set) lazy var actions = Actions(of: widget.opaque)
  /// The button that opens the menu of the window.
  let menuButton = made(gtk_menu_button_new())
  /// The area below the header, which is the parent of popovers.
  let body = Make.box(GTK_ORIENTATION_VERTICAL)
  /// The boards.
  let tabs = BoardTabs(menu: ShelfWindow.boardMenu)
  /// The board whose tab comes to the front as soon as it exists.
  private var expected: BoardID?
  /// Whether the board that was in front at the previous end is in front again, if it exists.
  private var isRestored = false
  private let searchBar = made(gtk_search_bar_new())
  private let searchEntry = made(gtk_search_entry_new())
  /// The drag that the pointer carries from this window.
  let drags = DragsOfShelf()
  /// The widget with the header bar, the body, and the toasts over both.
  let overlay = made(adw_toast_overlay_new())
  /// Shows messages in this window.
  private(set) lazy var report = Report { [overlay] in Toast.show($0, $1, in: overlay) }
  /// The transfers of this window.
  let transfers = Transfers()
  private lazy var transferStrip = TransferStrip(of: transfers)
  private lazy var waiting = WaitingStrip(
    on: connection, drags: drags, transfers: transfers, report: report)
  /// Drags without a pointer.
  private(set) lazy var pickUp = PickUp(in: self)
  private lazy var status = StatusView(retry: { [weak self] in self?.refreshBoards() })
  private lazy var daemon = DaemonStart(on: connection)
  private let contents = made(gtk_stack_new())
  private var tabDrop: TabDrop?
  /// The header bar.
  let header = made(adw_header_bar_new())
  /// The questions of the first start; nil at later starts.
  private var firstPage: FirstPage?
  private let title = made(adw_window_title_new(localized("Shelf"), ""))
  /// The placement of a window that opens by itself; nil for an ordinary window.
  var dock: EdgeDock?
  /// The number of large previews that the user has asked for.
  var previewCount = 0
  private var searchToggle: Widget?
  private var events: Task<Void, Never>?
  private var hasAnnouncedUpdate = false

  /// Creates a window.
  ///
  /// - Parameters:
  ///   - application: the application of the window.
  ///   - connection: the connection to the bus.
  ///   - place: the place of the window.
  init(of application: OpaquePointer, on connection: DragboardConnection, at place: ShelfPlace) {
    self.connection = connection
    widget = made(adw_application_window_new(application.of()))
    gtk_window_set_title(widget.of(), localized("Shelf"))
    gtk_window_set_icon_name(widget.of(), ShelfApplication.id)
    gtk_widget_add_css_class(widget, "shelf")
    let size = ShelfSettings.size
    gtk_window_set_default_size(widget.of(), size.width, size.height)
    if ShelfSettings.isMaximized, case .anywhere = place { gtk_window_maximize(widget.of()) }
    makeHeader()
    addActions()
    AboutShelf.addKeys(to: widget)
    makeContents()
    sit(at: place)
    askQuestions(at: place)
    Shortcuts.attach(to: widget)
    connect(widget, "notify::is-active") { [weak self] _ in
      guard let self, gtk_window_is_active(widget.of()) != 0 else { return }
      current?.readFilesAgain()
      current?.readKind()
      announceUpdate()
    }
    daemon.onChange = { [weak self] in
      guard let self else { return }
      if tabs.pages.isEmpty { showState(.noDaemon(daemon.reason)) }
      for page in tabs.pages.map(\.page) { page.showState() }
    }
    listen()
    refreshBoards()
  }

  /// Waits, for a short time only, until the rows of the front tab can be shown.
  ///
  /// A window that appears earlier is painted twice.
  func untilReady() async {
    let start = ContinuousClock.now
    while current?.isReady != true, ContinuousClock.now - start < .milliseconds(150) {
      try? await Task.sleep(for: .milliseconds(2))
    }
  }

  /// The page of the front tab.
  var current: BoardPage? { tabs.current }

  // MARK: Parts

  private func makeHeader() {
    let undo = Make.button(
      icon: "edit-undo-symbolic", label: localized("Undo"), classes: "flat"
    ) { [weak self] in self?.current?.undo() }
    // The keyboard stays in the list or in the search.
    gtk_widget_set_focus_on_click(undo, 0)
    let search = Make.toggle(icon: "edit-find-symbolic", label: localized("Search")) {
      [weak self] isOn in
      self?.setSearching(isOn)
    }
    gtk_menu_button_set_icon_name(menuButton.opaque, "open-menu-symbolic")
    gtk_menu_button_set_primary(menuButton.opaque, 1)
    gtk_widget_set_tooltip_text(menuButton, localized("Main Menu"))
    shelf_set_accessible_label(menuButton, localized("Main Menu"))
    makePrimaryMenu()
    let all = made(gtk_image_new_from_icon_name("list-drag-handle-symbolic"))
    gtk_widget_add_css_class(all, "drag-all")
    gtk_widget_set_tooltip_text(all, localized("Drag All Rows"))
    shelf_set_accessible_label(all, localized("Drag All Rows"))
    gtk_widget_set_cursor_from_name(all, "grab")
    DragOut.attachAll(to: all, drags: drags) { [weak self] in self?.current }
    adw_header_bar_pack_start(header.opaque, undo)
    adw_header_bar_pack_start(header.opaque, all)
    adw_header_bar_pack_end(header.opaque, menuButton)
    adw_header_bar_pack_end(header.opaque, search)
    adw_header_bar_set_title_widget(header.opaque, title)
    searchToggle = search
  }

  private func makeContents() {
    gtk_search_bar_set_child(searchBar.opaque, searchEntry)
    gtk_search_bar_connect_entry(searchBar.opaque, searchEntry.opaque)
    gtk_widget_set_hexpand(searchEntry, 1)
    shelf_set_accessible_label(searchEntry, localized("Search"))
    connect(searchEntry, "search-changed") { [weak self] _ in
      guard let self else { return }
      current?.search(shelf_text(searchEntry).map { String(cString: $0) } ?? "")
    }
    connect(searchEntry, "activate") { [weak self] _ in self?.current?.surface.enter() }
    enterListByDown()
    connect(searchBar, "notify::search-mode-enabled") { [weak self] _ in self?.didSetSearching() }
    tabs.onShow = { [weak self] in self?.didShowPage(insteadOf: $0) }
    tabDrop = TabDrop(on: self)
    let boards = Make.box(GTK_ORIENTATION_VERTICAL, tabs.bar, tabs.view)
    gtk_stack_add_named(contents.opaque, boards, "boards")
    gtk_stack_add_named(contents.opaque, status.widget, "status")
    contents.expand()
    waiting.onPut = { [weak self] in self?.current?.put($0) }
    showState(.loading)
    waiting.onChange = { [weak self] in self?.pickUp.show(waiting: $0) }
    for part in [searchBar, contents, transferStrip.widget, pickUp.strip.widget, waiting.widget] {
      gtk_box_append(body.of(), part)
    }
    adw_toast_overlay_set_child(
      overlay.opaque, Make.box(GTK_ORIENTATION_VERTICAL, header, body))
    Toast.nameButtons(in: overlay)
  }

  /// Stops following the bus and stores the size of the window; must be called before the window is
  /// destroyed.
  func close() {
    if firstPage != nil { ShelfSettings.hasAsked = true }
    events?.cancel()
    daemon.end()
    waiting.close()
    pickUp.close()
    for page in tabs.pages.map(\.page) { page.close() }
    guard !isAtEdge else { return }
    var size: (width: Int32, height: Int32) = (0, 0)
    gtk_window_get_default_size(widget.of(), &size.width, &size.height)
    if size.width > 0, size.height > 0 { ShelfSettings.size = size }
    ShelfSettings.isMaximized = gtk_window_is_maximized(widget.of()) != 0
  }

  private func showState(_ state: StatusView.State?) {
    if let state { status.show(state) }
    gtk_stack_set_visible_child_name(contents.opaque, state == nil ? "boards" : "status")
  }

  /// Opens or closes the search.
  func setSearching(_ isOn: Bool) {
    guard isSearching != isOn else { return }
    gtk_search_bar_set_search_mode(searchBar.opaque, isOn ? 1 : 0)
  }

  /// Applies the opening or closing of the search.
  private func didSetSearching() {
    let focus = gtk_window_get_focus(widget.of())
    let hadKeyboard = focus.map { gtk_widget_is_ancestor($0, searchEntry) != 0 } ?? false
    if let searchToggle { gtk_toggle_button_set_active(searchToggle.of(), isSearching ? 1 : 0) }
    if isSearching {
      // GTK discards the keys of a widget that is not realized, and the next layout would realize
      // it too late.
      gtk_editable_get_delegate(searchEntry.opaque).map { gtk_widget_realize(Widget($0)) }
      gtk_widget_grab_focus(searchEntry)
    } else {
      shelf_set_text(searchEntry.object, "")
      current?.search("")
      if hadKeyboard { current?.surface.enter() }
    }
  }

  /// Lets Down move the keyboard focus from the search to the list.
  ///
  /// Without this function, GTK would move it to the next widget below, which can be a tab.
  private func enterListByDown() {
    let keys = made(gtk_event_controller_key_new())
    gtk_event_controller_set_propagation_phase(keys, GTK_PHASE_CAPTURE)
    answer(keys, "key-pressed") { [weak self] arguments in
      let isDown = [GDK_KEY_Down, GDK_KEY_KP_Down].contains(Int32(arguments.uint(1)))
      return .handled(isDown && self?.current?.surface.enter() ?? false)
    }
    gtk_widget_add_controller(searchEntry, keys)
  }

  /// Whether the search is open.
  var isSearching: Bool { gtk_search_bar_get_search_mode(searchBar.opaque) != 0 }

  /// Asks the questions of the first start, but not beside the pointer.
  private func askQuestions(at place: ShelfPlace) {
    if case .pointer = place { return }
    guard !ShelfSettings.hasAsked else { return }
    let page = FirstPage(on: connection, report: report)
    gtk_box_prepend(body.of(), page.widget)
    firstPage = page
  }

  /// Says that another version of the shelf was installed, and offers to restart.
  func announceUpdate() {
    guard !hasAnnouncedUpdate, RunningProgram.own?.isReplaced == true else { return }
    hasAnnouncedUpdate = true
    let restart = Toast.Button(label: localized("Restart")) { [widget] in
      gtk_widget_activate_action_variant(widget, "app.restart", nil)
    }
    let toast = Toast.make(localized("Another version of the shelf is installed."), restart)
    adw_toast_set_timeout(toast, 0)
    adw_toast_overlay_add_toast(overlay.opaque, toast)
  }

  /// Whether the user is writing a text in this window.
  var isEditing: Bool {
    guard let focus = gtk_window_get_focus(widget.of()) else { return false }
    let instance = UnsafeMutableRawPointer(focus).assumingMemoryBound(to: GTypeInstance.self)
    return g_type_check_instance_is_a(instance, gtk_text_view_get_type()) != 0
  }

  // MARK: Boards

  private func listen() {
    events = Task { [weak self, connection] in
      do {
        for try await event in await connection.events() {
          switch event {
          case .daemonCame:
            self?.daemon.end()
            self?.refreshBoards()
          case .boardAdded, .boardRemoved, .boardRenamed, .missed: self?.refreshBoards()
          case .daemonLeft: self?.didLoseDaemon()
          case .dragBegan, .dragEnded: break
          }
        }
      } catch {
        self?.showState(.noDaemon(nil))
      }
    }
  }

  private func didLoseDaemon() {
    if tabs.pages.isEmpty { showState(.noDaemon(daemon.reason)) }
    daemon.begin()
  }

  /// Updates the tabs to the boards of the daemon.
  private func refreshBoards() {
    Task { [weak self, connection] in
      do {
        let boards = try await connection.boards()
        self?.show(boards.map { ($0.board, $0.info.name) })
      } catch {
        self?.didLoseDaemon()
      }
    }
  }

  private func show(_ boards: [(board: Board, name: String)]) {
    tabs.show(boards) { board, name in
      let page = BoardPage(
        board, named: BoardTabs.title(of: name), drags: drags, transfers: transfers, report: report,
        daemon: daemon, didVanish: { [weak self] in self?.refreshBoards() })
      page.openMenu = { [weak self, weak page] row, x, y in
        if let self, let page { openMenu(of: row, on: page, x: x, y: y) }
      }
      page.onHandle = { [weak self, weak page] in
        if let self, let page { didClickHandle(of: $0, on: page) }
      }
      page.onFill = { [weak self] in self?.dock?.warmUp() }
      page.surface.onMoveCursor = { [weak self] in self?.pickUp.proposeSoon() }
      page.surface.onActivate = { [weak self, weak page] item in
        if let page { self?.open(item, on: page) }
      }
      return page
    }
    if !isRestored, !boards.isEmpty { restoreSelection() }
    if let expected { showWhenItComes(expected) }
    showTitle()
    showState(tabs.pages.isEmpty ? .noDaemon(daemon.reason) : nil)
  }

  private func restoreSelection() {
    isRestored = true
    let selected = tabs.pages.first { "\($0.page.board.id)" == ShelfSettings.selectedBoard }
    if let selected { _ = tabs.select(selected.page.board.id) }
  }

  /// Brings a board's tab to the front, as soon as the tab exists.
  func showWhenItComes(_ board: BoardID) { expected = tabs.select(board) ? nil : board }

  /// The name of the board in the front tab.
  ///
  /// It is nil without a tab, and for "default", which cannot be renamed.
  var currentName: String? {
    tabs.currentName.flatMap { $0 == DragboardConnection.defaultBoard ? nil : $0 }
  }

  /// Handles a change of the front tab.
  ///
  /// Ends the search of the previous page.
  private func didShowPage(insteadOf old: BoardPage?) {
    if old !== current {
      setSearching(false)
      old?.search("")
      if isRestored, let current { ShelfSettings.selectedBoard = "\(current.board.id)" }
    }
    showTitle()
    pickUp.proposeSoon()
  }

  private func showTitle() {
    adw_window_title_set_title(
      title.opaque,
      tabs.currentName.flatMap { tabs.pages.count > 1 ? BoardTabs.title(of: $0) : nil }
        ?? localized("Shelf"))
    for action in ["rename-board", "delete-board"] { actions.enable(action, currentName != nil) }
  }
}
