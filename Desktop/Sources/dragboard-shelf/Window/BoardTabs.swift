import CGtk4
import CShelf
import ShelfModel
import DragboardClient

/// The tabs of the boards.
///
/// The tab of "default" is pinned in front. The user determines the order of the other tabs.
final class BoardTabs {
  /// The AdwTabBar.
  let bar: Widget
  /// The AdwTabView.
  let view: Widget
  /// The pages and the names of their boards, in the order of the tabs.
  private(set) var pages: [(page: BoardPage, name: String)] = []
  /// Called when another page comes to the front, with the previous page.
  var onShow: (BoardPage?) -> Void = { _ in }
  private var shown: BoardPage?
  /// The page of a deleted board while its tab is being closed.
  private var leaving: Widget?

  /// Creates an empty tab bar.
  ///
  /// - Parameter menu: the menu of a tab.
  init(menu: Menu) {
    let (view, bar) = (made(adw_tab_view_new()), made(adw_tab_bar_new()))
    (self.view, self.bar) = (view.widget, bar.widget)
    adw_tab_bar_set_view(bar, view)
    adw_tab_bar_set_autohide(bar, 0)
    self.bar.show(false)
    let model = menu.model()
    adw_tab_view_set_menu_model(view, model.of())
    g_object_unref(model.object)
    let add = Make.button(icon: "list-add-symbolic", label: localized("New Board"), classes: "flat")
    gtk_actionable_set_action_name(add.opaque, "win.new-board")
    adw_tab_bar_set_end_action_widget(bar, add)
    listen()
  }

  private func listen() {
    connect(view, "notify::selected-page") { [weak self] _ in self?.didShow() }
    connect(view, "page-reordered") { [weak self] _ in self?.didReorder() }
    connect(view, "setup-menu") { [weak self] in
      // The actions of the menu apply to the tab in front.
      if let self, let tab = $0.object(1) { adw_tab_view_set_selected_page(view.opaque, tab) }
    }
    answer(view, "close-page") { [weak self] in
      guard let self, let tab = $0.object(1) else { return .handled(false) }
      // A click with the middle button closes no tab: boards are deleted by the menu only.
      let isGone = adw_tab_page_get_child(tab) == leaving
      adw_tab_view_close_page_finish(view.opaque, tab, isGone ? 1 : 0)
      return .handled(true)
    }
    answer(view, "create-window") { [weak self] _ in
      // If a tab is dropped outside of the window, it returns to its position.
      MainLoop.after(.zero) { self?.arrange() }
      return .object(self.map { OpaquePointer(g_object_ref($0.view.object)) })
    }
  }

  /// The page in front.
  var current: BoardPage? { adw_tab_view_get_selected_page(view.opaque).flatMap(page(of:)) }

  /// The name of the board in front.
  var currentName: String? { pages.first { $0.page === current }?.name }

  private func page(of tab: OpaquePointer) -> BoardPage? {
    let child = adw_tab_page_get_child(tab)
    return pages.first { $0.page.widget == child }?.page
  }

  private func tab(of page: BoardPage) -> OpaquePointer? {
    adw_tab_view_get_page(view.opaque, page.widget)
  }

  private func didShow() {
    let old = shown
    shown = current
    shelf_describe_tabs(bar)
    if old !== shown { onShow(old) }
  }

  private func didReorder() {
    pages = (0..<adw_tab_view_get_n_pages(view.opaque)).compactMap { index in
      let child = adw_tab_page_get_child(adw_tab_view_get_nth_page(view.opaque, index))
      return pages.first { $0.page.widget == child }
    }
    ShelfSettings.boards = pages.map { "\($0.page.board.id)" }
  }

  private func arrange() {
    for (index, page) in pages.enumerated() {
      if let tab = tab(of: page.page), adw_tab_page_get_pinned(tab) == 0 {
        adw_tab_view_reorder_page(view.opaque, tab, gint(index))
      }
    }
  }

  /// Returns the title of the tab of a board.
  static func title(of name: String) -> String {
    name == DragboardConnection.defaultBoard ? localized("Default") : ShownText.line(name)
  }

  /// Returns boards in the user's order: "default" first and new boards last.
  static func sorted(_ boards: [(board: Board, name: String)]) -> [(board: Board, name: String)] {
    let order = ShelfSettings.boards
    let places = boards.map { board in
      board.name == DragboardConnection.defaultBoard
        ? -1 : order.firstIndex(of: "\(board.board.id)") ?? order.count
    }
    return zip(places, boards).sorted { $0.0 < $1.0 }.map(\.1)
  }

  /// Adopts the user's order after another part of the shelf has changed it.
  func adoptOrder() {
    let sorted = Self.sorted(pages.map { ($0.page.board, $0.name) })
    pages = sorted.compactMap { board in pages.first { $0.page.board.id == board.board.id } }
    arrange()
  }

  /// Shows exactly these boards.
  ///
  /// - Parameters:
  ///   - boards: the boards with their names.
  ///   - make: creates the page of a new board.
  func show(_ boards: [(board: Board, name: String)], make: (Board, String) -> BoardPage) {
    let ids = Set(boards.map(\.board.id))
    for page in pages.map(\.page) where !ids.contains(page.board.id) { remove(page) }
    for (board, name) in Self.sorted(boards)
    where !pages.contains(where: { $0.page.board.id == board.id }) {
      add(make(board, name), named: name)
    }
    for (board, name) in boards { rename(board, to: name) }
    bar.show(pages.count > 1)
  }

  private func add(_ page: BoardPage, named name: String) {
    let isDefault = name == DragboardConnection.defaultBoard
    // Store the page before its tab comes to the front, because handlers look it up.
    pages.insert((page, name), at: isDefault ? 0 : pages.count)
    let tab =
      isDefault
      ? adw_tab_view_append_pinned(view.opaque, page.widget)
      : adw_tab_view_append(view.opaque, page.widget)
    let icon = g_themed_icon_new("\(ShelfApplication.id)-symbolic")
    if isDefault { adw_tab_page_set_icon(tab, icon?.opaque) }
    if let icon { g_object_unref(icon.object) }
    adw_tab_page_set_title(tab, Self.title(of: name))
    didShow()
  }

  private func rename(_ board: Board, to name: String) {
    guard let index = pages.firstIndex(where: { $0.page.board.id == board.id }),
      pages[index].name != name
    else { return }
    pages[index].name = name
    pages[index].page.rename(Self.title(of: name))
    if let tab = tab(of: pages[index].page) { adw_tab_page_set_title(tab, Self.title(of: name)) }
    shelf_describe_tabs(bar)
    onShow(shown)
  }

  /// Brings the tab of a board to the front.
  ///
  /// - Returns: whether the board has a tab.
  func select(_ board: BoardID) -> Bool {
    guard let page = pages.first(where: { $0.page.board.id == board })?.page,
      let tab = tab(of: page)
    else { return false }
    adw_tab_view_set_selected_page(view.opaque, tab)
    return true
  }

  private func remove(_ page: BoardPage) {
    guard let tab = tab(of: page) else { return }
    page.close()
    leaving = page.widget
    adw_tab_view_close_page(view.opaque, tab)
    leaving = nil
    pages.removeAll { $0.page === page }
    didShow()
  }
}
