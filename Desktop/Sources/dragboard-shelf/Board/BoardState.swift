import CGtk4
import CShelf
import DragboardClient
import ShelfModel

/// The list of a board, or a message in its place.
final class BoardState {
  /// The list or the message.
  let widget = made(gtk_stack_new())
  private let board: Board
  private let list: ListSurface
  private let status: StatusView
  /// The message that is shown in place of the list; nil if the list is visible.
  private var message: StatusView.State? = .loading
  /// The kind of the board, as last read when the board was empty.
  private var emptyKind = EmptyBoard.ordinary
  private var snapshot = BoardSnapshot(revision: 0, sections: [])
  private var (fault, isSearching): (StatusView.State?, Bool) = (nil, false)

  /// Shows that the board is being read.
  ///
  /// - Parameters:
  ///   - board: the board.
  ///   - list: its list.
  ///   - retry: called when the user wants to start the daemon again.
  ///   - paste: called when the user wants to paste into an empty board.
  init(
    of board: Board, list: ListSurface, retry: @escaping () -> Void, paste: @escaping () -> Void
  ) {
    (self.board, self.list) = (board, list)
    status = StatusView(retry: retry, paste: paste)
    gtk_stack_add_named(widget.opaque, list.widget, "list")
    gtk_stack_add_named(widget.opaque, status.widget, "status")
    status.show(.loading)
    gtk_stack_set_visible_child_name(widget.opaque, "status")
    for view in [list.widget, status.widget] {
      connect(view, "map") { [weak self] _ in self?.takeKeyboard() }
    }
  }

  /// Whether a message is shown in place of the list.
  var hasMessage: Bool { message != nil }

  /// Shows the list, or a message in its place.
  ///
  /// - Parameters:
  ///   - fault: the reason why the board is not read; nil if it is.
  ///   - snapshot: the rows of the board.
  ///   - isSearching: whether the list has only the rows that a search has found.
  func show(_ fault: StatusView.State?, of snapshot: BoardSnapshot, isSearching: Bool) {
    (self.fault, self.snapshot, self.isSearching) = (fault, snapshot, isSearching)
    show()
  }

  private func show() {
    let state =
      fault ?? (!list.list.isEmpty ? nil : isSearching ? .notFound : emptyMessage)
    let isOther = state != message
    if let state, isOther || state == .loading { status.show(state) }
    message = state
    if isOther { readKind() }
    gtk_stack_set_visible_child_name(widget.opaque, state == nil ? "list" : "status")
    if isOther { takeKeyboard() }
  }

  /// The message of a board without rows; nil if it has several sections, whose headers are shown.
  private var emptyMessage: StatusView.State? {
    snapshot.count == 0 && snapshot.sections.count > 1 ? nil : .empty(emptyKind)
  }

  /// Reads the kind of an empty board, which decides its message.
  func readKind() {
    guard case .empty = message else { return }
    Task { [weak self, board] in
      let kind = await EmptyBoard(board)
      guard let self, kind != emptyKind else { return }
      emptyKind = kind
      show()
    }
  }

  /// Gives the keyboard focus to the list, or to the button of a message, when it appears.
  ///
  /// Does nothing while the user is typing.
  private func takeKeyboard() {
    guard gtk_widget_get_mapped(widget) != 0, let root = gtk_widget_get_root(widget),
      gtk_root_get_focus(root).map({ shelf_takes_keys($0) == 0 }) ?? true
    else { return }
    if message == nil { list.enter() } else { status.enter() }
  }
}
