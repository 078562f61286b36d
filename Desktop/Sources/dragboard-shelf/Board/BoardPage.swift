import CGtk4
import CShelf
import DragboardClient
import ShelfModel

/// The tab of a board, which shows the board and follows its changes.
final class BoardPage {
  /// The board.
  let board: Board
  /// The content of the tab: the list or a status message, and the reason why a drop is refused.
  let widget = made(gtk_overlay_new())
  private lazy var state = BoardState(
    of: board, list: surface,
    retry: { [weak self] in
      self?.daemon.begin()
      self?.follow()
    }, paste: { [weak self] in self?.paste() })
  private let refusal = Make.label(classes: "refusal", "osd")
  /// The list.
  let surface: ListSurface
  /// The latest known state of the board.
  private(set) var snapshot = BoardSnapshot(revision: 0, sections: [])
  /// Whether the daemon is reachable.
  private(set) var isLive = false
  /// The cached facts of the rows.
  private(set) var rows = RowCache()
  /// The stacks of the rows whose facts have been read.
  private(set) var stacks = Stacks()
  /// Whether the first rows have been read, or the board is known to be empty.
  private(set) var isReady = false {
    didSet { if isReady, !oldValue { fillLater() } }
  }
  /// The rows that a search has found; nil without a search.
  private var found: Set<ItemID>?
  private(set) lazy var previews = Previews(
    board, order: { [weak self] in self?.surface.itemsByDistance ?? [] },
    didRead: { [weak self] in self?.refresh([$0]) })
  private lazy var finder = BoardSearch(board)
  private(set) lazy var selection = ViewSelection(board)
  /// Shows messages.
  let report: Report
  /// The transfers that the window shows.
  let transfers: Transfers
  private lazy var drops = IncomingDrops(on: board, transfers)
  /// Says that edits and drops wait for a daemon that does not answer.
  private(set) lazy var answers = AnswerWatch(board, report: report)
  /// Called to open the menu of a line, with a position in the line.
  var openMenu: (RowView, Double, Double) -> Void = { _, _, _ in }
  /// Called with the row or stack whose handle was clicked.
  var onHandle: (ItemID) -> Void = { _ in }
  /// Called after lines have been filled.
  var onFill: () -> Void = {}
  private let didVanish: () -> Void
  private let daemon: DaemonStart
  /// The title of the board.
  private(set) var title: String
  private var dropIn: DropIn?
  private var following: Task<Void, Never>?
  private var edits: Task<Void, Never>?

  /// Creates a page that follows a board.
  ///
  /// - Parameters:
  ///   - board: the board.
  ///   - title: the title of the board.
  ///   - drags: the drags that the shelf has begun.
  ///   - transfers: the transfers that the window shows.
  ///   - report: shows messages to the user.
  ///   - daemon: starts the daemon again.
  ///   - didVanish: called after the board was deleted.
  init(
    _ board: Board, named title: String, drags: DragsOfShelf, transfers: Transfers,
    report: Report, daemon: DaemonStart, didVanish: @escaping () -> Void
  ) {
    self.board = board
    self.daemon = daemon
    self.transfers = transfers
    self.report = report
    self.didVanish = didVanish
    self.title = title
    surface = ListSurface(named: title)
    gtk_overlay_set_child(widget.opaque, state.widget)
    widget.expand()
    makeRefusal()
    surface.onShow = { [weak self] in self?.fill($0) }
    surface.onSelect = { [weak self] in self?.select($0) }
    surface.onToggle = { [weak self] in self?.toggleStack(of: $0) }
    surface.onMake = { [weak self] row in
      guard let self else { return }
      DragOut.attach(to: row, of: self, drags: drags)
      row.onSecondaryClick { [weak self, weak row] x, y in
        if let self, let row { openMenu(row, x, y) }
      }
      row.onHandleClick { [weak self, weak row] in
        guard let self, let index = row?.index, let item = surface.list.item(at: index) else {
          return
        }
        onHandle(item)
      }
    }
    finder.onFind = { [weak self] in self?.show(found: $0) }
    dropIn = DropIn(on: self, drags: drags)
    Keyboard(self).attach(to: surface.widget)
    drops.follow()
    follow()
  }

  /// Updates the title of the board.
  func rename(_ title: String) {
    self.title = title
    surface.rename(title)
    for row in surface.visible { fill(row) }
  }

  /// Returns the title of a section.
  ///
  /// For the initial section, whose name is internal, it is the title of the board.
  func title(ofSection name: String) -> String {
    name == "main" ? title : ShownText.line(name)
  }

  /// Stops following the board, and closes its view after the edits that have begun.
  func close() {
    following?.cancel()
    edit { [selection] in await selection.close() }
    drops.close()
    surface.close()
  }

  private func makeRefusal() {
    gtk_label_set_wrap(refusal.opaque, 1)
    gtk_widget_set_valign(refusal, GTK_ALIGN_END)
    gtk_widget_set_halign(refusal, GTK_ALIGN_CENTER)
    gtk_widget_set_can_target(refusal, 0)
    refusal.setMargins(vertical: 18, horizontal: 18)
    gtk_overlay_add_overlay(widget.opaque, refusal)
    show(refusal: nil)
  }

  /// Shows the reason why a drag cannot be dropped; nil hides it.
  func show(refusal text: String?) {
    refusal.show(text != nil)
    if let text { gtk_label_set_text(refusal.opaque, text) }
  }

  // MARK: Following

  private func follow() {
    let board = board
    following?.cancel()
    following = Task { [weak self] in
      do {
        for try await update in board.mirror() { self?.take(update) }
        if !Task.isCancelled { self?.didVanish() }
      } catch {
        self?.didFail(error)
      }
    }
  }

  private func take(_ update: BoardUpdate) {
    switch update {
    case .snapshot(let board):
      rows.removeAll()
      stacks.forgetRows()
      previews.forgetAll()
      begin(with: board)
      finder.didRestart(with: board)
    case .changes(let changes, let board):
      note(changes, at: board.revision)
      begin(with: board)
      finder.didChange(
        changes.compactMap { if case .reload(let item, _) = $0 { item } else { nil } }, to: board)
    case .lost(let board):
      snapshot = board
      isLive = false
      selection.lose()
      drops.endAll()
      showState()
    }
  }

  private func didFail(_ error: any Error) {
    isLive = false
    selection.lose()
    showState()
    guard !Task.isCancelled else { return }
    // The bus is reachable, but the daemon could not be started, so try again later.
    daemon.begin()
    MainLoop.after(.seconds(1)) { [weak self] in self?.follow() }
  }

  private func note(_ changes: [BoardChange], at revision: UInt64) {
    for case .reload(let item, let place) in changes {
      rows.didChange(item, at: revision)
      previews.forget(item)
      load(place)
    }
  }

  private func begin(with board: BoardSnapshot) {
    let wasLive = isLive
    isLive = true
    snapshot = board
    showList()
    if !wasLive { edit { [selection] in try await selection.open() } }
    edit { [weak self] in try await self?.keepSelection() }
  }

  private func showList() {
    surface.show(BoardList(snapshot, showing: found, stacks: stacks))
    rows.forget(
      keeping: Set(surface.visible.flatMap { $0.index.map(surface.list.items(at:)) ?? [] }))
    for row in surface.visible { fill(row) }
    showState()
    adopt(surface.selection)
  }

  /// Shows the list, or a message in its place.
  func showState() {
    state.show(
      isLive ? nil : .noDaemon(daemon.reason), of: snapshot, isSearching: found != nil)
    if isLive, state.hasMessage { isReady = true }
  }

  /// Reads the kind of an empty board, which decides its message.
  func readKind() { state.readKind() }

  // MARK: Rows

  private func fill(_ row: RowView) {
    guard let index = row.index, surface.list.entries.indices ~= index else { return }
    switch surface.list.entries[index] {
    case .header(let name): row.showHeader(title(ofSection: name))
    case .row(let item):
      let facts = rows[item]
      let stack = surface.list.stack(at: index)
      row.show(
        facts, previews[item],
        inStack: stack.map { (place: $0.firstIndex(of: item) ?? 0, count: $0.count) })
      if let facts {
        previews.want(facts)
      } else if isReady || index < RowCache.pageSize {
        surface.list.place(at: index).map(load)
      }
    case .stack(let items):
      row.show(stack: items.map { (rows[$0], previews[$0]) })
      for item in items.prefix(RowView.maxDescribed) { rows[item].map(previews.want) }
      if isReady || index < RowCache.pageSize, let place = surface.list.place(at: index) {
        for offset in items.indices where rows[items[offset]] == nil {
          load(RowPosition(section: place.section, row: place.row + offset))
        }
      }
    }
  }

  /// Fills the lines that are outside of the visible part, after the visible lines have been
  /// painted.
  ///
  /// A list of GTK has about 200 lines, most of them outside of the visible part.
  private func fillLater() {
    MainLoop.after(.milliseconds(100)) { [weak self] in
      guard let self else { return }
      for row in surface.visible { fill(row) }
      onFill()
    }
  }

  private func refresh(_ items: Set<ItemID>) {
    for row in surface.visible {
      if let index = row.index, !items.isDisjoint(with: surface.list.items(at: index)) { fill(row) }
    }
  }

  /// Reads the previews of files in the visible lines again, because other programs may have renamed,
  /// deleted or changed the files.
  func readFilesAgain() {
    for row in surface.visible {
      for item in row.index.map(surface.list.items(at:)) ?? [] {
        if let facts = rows[item], facts.kind == .addresses { previews.readAgain(facts) }
      }
    }
  }

  /// Opens or closes the stack of a row.
  func setOpen(_ isOpen: Bool, stackOf item: ItemID) {
    stacks.setOpen(isOpen, item)
    showList()
  }

  /// Requests the rows around a position if they have not been requested yet.
  private func load(_ place: RowPosition) {
    guard let page = rows.need(place) else { return }
    Task { [weak self, board] in
      do {
        let answer = try await board.page(
          ofSection: page.section, from: page.first, count: RowCache.pageSize)
        guard let self else { return }
        let facts = answer.rows.map(RowFacts.init)
        let news = rows.receive(facts, at: answer.revision, for: page)
        // Ignore the facts that the cache did not accept, because they are outdated.
        let hasOtherStacks = stacks.note(facts.filter { rows[$0.id] == $0 })
        if hasOtherStacks { showList() } else { refresh(news) }
        isReady = true
        onFill()
      } catch {
        // The board may have changed during the request. When the rows are shown again, they are
        // requested again.
        self?.rows.fail(page)
      }
    }
  }

  // MARK: Editing

  /// Performs edits in order, and reports errors.
  func edit(_ body: @escaping () async throws -> Void) {
    let before = edits
    edits = Task { [report, answers] in
      await before?.value
      do { try await answers.watch(body) } catch { report(error) }
    }
  }

  /// Selects rows at the user's request.
  func select(_ items: Set<ItemID>) {
    surface.show(selection: items)
    let ordered = surface.list.ordered(items)
    edit { [selection] in try await selection.select(ordered) }
  }

  /// Shows the selection of the daemon's view after selected rows were deleted.
  private func keepSelection() async throws {
    let before = surface.selection
    guard !before.isEmpty, snapshot.ordered(before).count < before.count else { return }
    let now = try await selection.afterDeletion()
    // The user may have changed the selection in the meantime.
    if surface.selection == before { adopt(Set(now)) }
    if let first = now.first { surface.reveal(first) }
  }

  /// Shows a selection of the daemon's view.
  ///
  /// If it contains a row of a closed stack, selects all rows of the stack.
  private func adopt(_ items: Set<ItemID>) {
    let whole = surface.list.whole(items)
    if whole == items { surface.show(selection: items) } else { select(whole) }
  }

  /// Shows only the rows that contain every word of `words`; "" shows all rows.
  func search(_ words: String) {
    guard words != finder.query else { return }
    finder.search(words, in: snapshot)
  }

  /// Shows only the rows that a search has found, and selects one of them.
  ///
  /// If `found` is nil, shows all rows and scrolls to the selected row.
  private func show(found: Set<ItemID>?) {
    let isEnd = found == nil && self.found != nil
    self.found = found
    showList()
    if found != nil {
      let visible = surface.list.ordered(surface.selection)
      let first = surface.list.index(.first, from: nil).flatMap(surface.list.item(at:))
      let hits = visible.isEmpty ? [first].compactMap(\.self) : visible
      if Set(hits) != surface.selection { select(Set(hits)) }
    } else if isEnd, let hit = surface.list.ordered(surface.selection).first {
      surface.reveal(hit)
    }
  }
}
