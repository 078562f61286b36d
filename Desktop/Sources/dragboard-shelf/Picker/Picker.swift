import CGtk4
import DragboardClient
import Logging
import ShelfModel

/// The picker: the user finds a row of any board, and it is pasted into the window that had the focus.
///
/// The daemon searches, and the picker reads only the rows that it shows. The clipboard bridge pastes;
/// without the bridge, the picker copies the row.
final class Picker {
  let connection: DragboardConnection
  let window: PickerWindow
  let transfers = Transfers()
  let notify: (String?) -> Void
  private var boards: [(board: Board, name: String)] = []
  var current: Board?
  var list = PickerList()
  private var previews: Previews?
  private var edits: Task<Void, Never>?
  private var latestOpening = 0
  private var previewCount = 0
  /// The state of the clipboard bridge since the picker was opened.
  var bridge = Bridge.unknown
  var isPasting = false
  /// Whether Enter was pressed before the rows of the latest query had arrived, and then whether the
  /// row is pasted as plain text.
  private var waitingEnter: Bool?
  /// Whether the modifiers that the user holds change the keys of the bridge.
  var sharesModifiers = false
  /// The question that the next Enter answers.
  var question: Question?
  private var latestDeletion: (board: Board, revision: UInt64)?

  /// A question about a row.
  struct Question: Hashable {
    enum Subject {
      /// The text of the row has line ends.
      case lineEnds
      /// The desktop requires a permission.
      case permission
    }

    let subject: Subject
    let item: ItemID
    /// Whether the row is pasted as plain text.
    let isPlain: Bool
  }

  enum Bridge {
    /// It has not answered yet.
    case unknown
    /// It remembers the focused window.
    case isPrepared
    case isMissing
  }

  /// The time for which the picker waits for the bridge, and for the first rows, before it appears.
  private static let maxWait = Duration.milliseconds(60)

  /// Creates a closed picker.
  ///
  /// - Parameters:
  ///   - connection: the connection to the bus.
  ///   - application: the application of the window.
  ///   - notify: shows a message on the desktop while the picker is closed; nil removes it.
  init(
    on connection: DragboardConnection, of application: OpaquePointer,
    notify: @escaping (String?) -> Void
  ) {
    (self.connection, self.notify) = (connection, notify)
    window = PickerWindow(of: application)
    window.onType = { [weak self] text in
      guard let self else { return }
      ask(nil)
      waitingEnter = nil
      update { $0.type(text) }
    }
    window.onKey = { [weak self] in self?.perform($0) }
    window.onBoard = { [weak self] in self?.showBoard($0) }
    window.onClose = { [weak self] in self?.close() }
    window.onRetry = { [weak self] in
      Task { await self?.readBoards(named: "") }
    }
    window.rows.preview = { [weak self] row in
      self?.previews?.want(row)
      return self?.previews?[row.id]
    }
    window.rows.onShow = { [weak self] in self?.readMore(below: $0) }
    window.rows.onSelect = { [weak self] index in
      self?.list.select(index)
      self?.showSelection(scrolling: false)
    }
    window.rows.onClick = { [weak self] index in
      self?.list.select(index)
      self?.paste(isPlain: false)
    }
  }

  // MARK: Opening

  /// Opens the picker on a board; on the clipboard's board without a name.
  func open(on name: String) {
    latestOpening += 1
    let opening = latestOpening
    notify(nil)
    if window.isOpen { return window.open() }
    bridge = .unknown
    window.reset()
    if let known = preferred(named: name) { show(known) }
    if current != nil { update { $0.open() } }
    Task {
      async let prepared: Void = prepare()
      async let listed: Void = readBoards(named: name)
      // A window that appears earlier could be the focused window that the bridge remembers.
      await first(of: Self.maxWait) { [self] in bridge != .unknown && list.isCurrent }
      if latestOpening == opening { appear() }
      _ = await (prepared, listed)
    }
  }

  func appear() {
    window.open()
    follow()
  }

  /// Waits until a condition is true, but not longer than a time.
  func first(of time: Duration, _ condition: () -> Bool) async {
    let end = ContinuousClock.now + time
    while !condition(), ContinuousClock.now < end {
      try? await Task.sleep(for: .milliseconds(1))
    }
  }

  private func prepare() async {
    do {
      try await connection.clipboard.preparePaste()
    } catch { return bridge = .isMissing }
    let means = try? await connection.clipboard.info().pasteMeans
    sharesModifiers = means == "portal"
    bridge = .isPrepared
  }

  private func readBoards(named name: String) async {
    do {
      let all: [(board: Board, name: String)] = try await connection.boards().map {
        ($0.board, $0.info.name)
      }
      boards = BoardTabs.sorted(all)
      let wanted = name.isEmpty ? current?.id : nil
      if let board = boards.first(where: { $0.board.id == wanted })?.board ?? preferred(named: name)
      {
        show(board)
      }
    } catch {
      log.warning("\(error)")
      window.show(.noDaemon(nil))
    }
  }

  /// Returns the board with a name; without a name, the board of the clipboard, or else the first.
  private func preferred(named name: String) -> Board? {
    let wanted = name.isEmpty ? ClipboardBridge.boardName : name
    return (boards.first { $0.name == wanted } ?? boards.first)?.board
  }

  /// Closes the picker.
  func close() {
    latestOpening += 1
    edits?.cancel()
    ask(nil)
    waitingEnter = nil
    window.hide()
  }

  // MARK: Boards

  private func show(_ board: Board) {
    let names = boards.map { BoardTabs.title(of: $0.name) }
    window.show(boards: names, current: boards.firstIndex { $0.board.id == board.id } ?? 0)
    guard current?.id != board.id else { return }
    current = board
    previews = Previews(
      board, order: { [weak self] in self?.window.rows.visible.map(\.id) ?? [] },
      didRead: { [weak self] in self?.window.rows.refresh($0) })
    let query = list.query
    list.reset()
    if window.isOpen { follow() }
    update { query.isEmpty ? $0.open() : $0.type(query) }
  }

  private func showBoard(_ index: Int) {
    guard boards.indices.contains(index) else { return }
    ask(nil)
    show(boards[index].board)
  }

  /// Follows the edits of the board while the picker is open.
  private func follow() {
    edits?.cancel()
    guard let current else { return }
    edits = Task { [weak self] in
      do {
        for try await _ in await current.edits() { self?.update { $0.refresh() } }
      } catch {
        if !Task.isCancelled { log.warning("\(error)") }
      }
    }
  }

  // MARK: Rows

  /// Changes the list, shows it, and sends the next request.
  private func update(_ change: (inout PickerList) -> PickerList.Request?) {
    let request = change(&list)
    showList()
    if let request { send(request) }
    if list.isCurrent, let isPlain = waitingEnter {
      waitingEnter = nil
      paste(isPlain: isPlain)
    }
  }

  /// Requests the rows below a row that is visible.
  private func readMore(below index: Int) {
    if let request = list.show(index) { send(request) }
  }

  private func send(_ request: PickerList.Request) {
    guard let current else { return }
    Task { [weak self] in
      do {
        let page = try await current.findRows(
          request.query, from: request.offset, limit: request.count)
        guard let self, self.current?.id == current.id else { return }
        let rows = page.rows.map { RowFacts($0.row) }
        update { $0.receive((rows, page.hasMore), to: request) }
      } catch {
        guard let self, self.current?.id == current.id else { return }
        log.warning("\(error)")
        waitingEnter = nil
        update { $0.fail(request) }
        if list.rows.isEmpty { window.show(.noDaemon(nil)) }
      }
    }
  }

  private func showList() {
    guard list.isCurrent else { return }
    window.rows.show(list.rows)
    showSelection(scrolling: true)
    guard list.rows.isEmpty else { return window.show(nil) }
    guard list.query.isEmpty, let current else { return window.show(.notFound) }
    Task { [weak self] in
      let kind = await EmptyBoard(current)
      guard let self, list.rows.isEmpty, list.query.isEmpty, self.current?.id == current.id else {
        return
      }
      window.show(.empty(kind))
    }
  }

  private func showSelection(scrolling: Bool) {
    window.rows.select(list.selected, scrolling: scrolling)
    if let question, list.selectedRow?.id != question.item { ask(nil) }
    window.announceSelection()
  }

  // MARK: Keys

  private func perform(_ key: PickerKey) {
    waitingEnter = nil
    switch key {
    case .move(let step): move(step)
    case .movePage(let isDown):
      let count = window.rows.pageCount
      move(.rows(isDown ? count : -count))
    case .paste(let isPlain):
      // The first row of the query is meant, unless another row is selected.
      if !list.isCurrent, (list.selected ?? 0) == 0 { return waitingEnter = isPlain }
      paste(isPlain: isPlain)
    case .pasteNumber(let number):
      guard number <= list.rows.count else { return }
      list.select(number - 1)
      showSelection(scrolling: true)
      paste(isPlain: false)
    case .preview: preview()
    case .delete: delete()
    case .undo: undo()
    case .board(let step):
      guard boards.count > 1 else { return }
      let index = boards.firstIndex { $0.board.id == current?.id } ?? 0
      showBoard((index + step + boards.count) % boards.count)
    case .search: break
    case .close: close()
    }
  }

  private func move(_ step: BoardList.KeyboardStep) {
    list.move(step)
    showSelection(scrolling: true)
    if let selected = list.selected { readMore(below: selected) }
  }

  private func preview() {
    guard let row = list.selectedRow else { return }
    previewCount += 1
    let number = previewCount
    Task { [self] in
      await PreviewWindow.show(row, on: self, over: window.widget) {
        self.previewCount == number && self.window.isOpen
      }
    }
  }

  private func delete() {
    guard let row = list.selectedRow, let current else { return }
    guard row.isEditable else { return window.report(localized("This row is locked.")) }
    Task { [self] in
      do {
        let revision = try await current.delete([row.id])
        latestDeletion = (current, revision)
        window.report(localized("%1 deleted", row.title)) { [weak self] in self?.undo() }
        update { $0.refresh() }
      } catch { window.report(error) }
    }
  }

  private func undo() {
    guard let (board, revision) = latestDeletion else { return }
    latestDeletion = nil
    Task { [self] in
      do {
        guard try await board.info().revision == revision else {
          return window.report(localized("The board has changed in the meantime."))
        }
        try await board.history.undo()
        update { $0.refresh() }
      } catch { window.report(error) }
    }
  }
}

extension Picker: PreviewedRows {
  var board: Board { made(current) }

  func opening(of row: RowFacts) -> (label: String, open: () -> Void)? { nil }

  func row(after step: BoardList.KeyboardStep) async -> RowFacts? {
    guard let before = list.selectedRow else { return nil }
    move(step)
    return list.selectedRow.flatMap { $0.id == before.id ? nil : $0 }
  }
}
