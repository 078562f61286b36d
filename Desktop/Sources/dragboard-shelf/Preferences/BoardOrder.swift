import CGtk4
import CShelf
import DragboardClient
import ShelfModel

/// The boards in the order of their tabs.
///
/// The user changes the order with the pointer or with buttons.
final class BoardOrder {
  private let list: Widget
  private let report: Report
  private let didReorder: () -> Void
  private var boards: [BoardSettingsRow] = []
  /// The board that the user drags.
  private var dragged: BoardSettingsRow?

  /// The type of a dragged board.
  ///
  /// No other application uses this type.
  private static let type = "application/x-gtk-dragboard-board"

  /// Creates the list of boards in a GtkListBox.
  init(_ list: Widget, report: Report, didReorder: @escaping () -> Void) {
    self.list = list
    self.report = report
    self.didReorder = didReorder
    shelf_set_accessible_label(list, localized("Boards"))
  }

  /// Whether a text of the settings has not been applied.
  var hasPending: Bool { boards.contains(where: \.hasPending) }

  /// Applies the texts that have not been applied.
  ///
  /// - Returns: whether all are applied, none was refused, and the user was asked nothing.
  func applyPending() async -> Bool {
    var isDone = true
    for board in boards {
      let isApplied = await board.applyPending()
      isDone = isDone && isApplied
    }
    return isDone
  }

  /// Shows exactly these boards.
  func show(_ found: [(board: Board, name: String)]) {
    let ids = Set(found.map(\.board.id))
    for board in boards where !ids.contains(board.board.id) {
      gtk_list_box_remove(list.opaque, board.widget)
    }
    boards.removeAll { !ids.contains($0.board.id) }
    for (board, name) in BoardTabs.sorted(found) {
      if let known = boards.first(where: { $0.board.id == board.id }) {
        if known.name != name { known.rename(to: name) }
      } else {
        add(board, named: name)
      }
    }
    showButtons()
  }

  private func add(_ board: Board, named name: String) {
    let isDefault = name == DragboardConnection.defaultBoard
    let row = BoardSettingsRow(board, named: name, isDefault: isDefault, report: report)
    boards.append(row)
    gtk_list_box_append(list.opaque, row.widget)
    guard !isDefault else { return }
    connect(row.up, "clicked") { [weak self, weak row] _ in
      if let row { self?.move(row, by: -1) }
    }
    connect(row.down, "clicked") { [weak self, weak row] _ in
      if let row { self?.move(row, by: 1) }
    }
    makeDraggable(row)
  }

  private func makeDraggable(_ row: BoardSettingsRow) {
    let source = made(gtk_drag_source_new())
    gtk_drag_source_set_actions(source, GDK_ACTION_MOVE)
    answer(source, "prepare") { [weak self, weak row] _ in
      self?.dragged = row
      let bytes = g_bytes_new(nil, 0)
      defer { g_bytes_unref(bytes) }
      return .object(gdk_content_provider_new_for_bytes(Self.type, bytes)?.opaque)
    }
    connect(source, "drag-begin") { [weak row] _ in
      guard let row, let picture = gtk_widget_paintable_new(row.widget) else { return }
      gtk_drag_source_set_icon(source, picture, 16, 16)
      g_object_unref(picture.object)
    }
    connect(source, "drag-end") { [weak self] _ in self?.dragged = nil }
    gtk_widget_add_controller(row.handle, source.opaque)
    let target = made(gtk_drop_target_async_new(nil, GDK_ACTION_MOVE))
    for signal in ["drag-enter", "drag-motion"] {
      answer(target, signal) { [weak self] _ in
        .flags(self?.dragged == nil ? 0 : GDK_ACTION_MOVE.rawValue)
      }
    }
    answer(target, "drop") { [weak self, weak row] in
      guard let self, let dragged, let row, let drop = $0.object(1) else { return .handled(false) }
      gdk_drop_finish(drop, GDK_ACTION_MOVE)
      if let place = place(of: row) { move(dragged, to: place) }
      return .handled(true)
    }
    gtk_widget_add_controller(row.widget, target.opaque)
  }

  private func place(of row: BoardSettingsRow) -> Int? { boards.firstIndex { $0 === row } }

  private func move(_ row: BoardSettingsRow, by step: Int) {
    guard let place = place(of: row) else { return }
    move(row, to: place + step)
    // If the board has reached an end, one of its buttons is insensitive, so focus the other
    // button.
    let buttons = step < 0 ? [row.up, row.down] : [row.down, row.up]
    if let button = buttons.first(where: { gtk_widget_get_sensitive($0) != 0 }) {
      gtk_widget_grab_focus(button)
    }
  }

  private func move(_ row: BoardSettingsRow, to place: Int) {
    // The default board is always the first.
    guard boards.indices.dropFirst().contains(place), let old = self.place(of: row) else { return }
    boards.insert(boards.remove(at: old), at: place)
    g_object_ref(row.widget.object)
    gtk_list_box_remove(list.opaque, row.widget)
    gtk_list_box_insert(list.opaque, row.widget, gint(place))
    g_object_unref(row.widget.object)
    showButtons()
    ShelfSettings.boards = boards.map { "\($0.board.id)" }
    didReorder()
  }

  private func showButtons() {
    for (index, row) in boards.enumerated() {
      gtk_widget_set_sensitive(row.up, index > 1 ? 1 : 0)
      gtk_widget_set_sensitive(row.down, index > 0 && index + 1 < boards.count ? 1 : 0)
    }
  }
}
