import CGtk4
import CShelf
import DragboardClient
import ShelfModel

/// The visible list of a board: its lines, the selection, and the insertion line of a drop.
///
/// The list shows the state that it is given and reports the user's selections. It makes no
/// requests to the daemon.
final class ListSurface {
  /// The list with its scroll bars.
  ///
  /// Tab moves the focus into and out of the list as a whole.
  private(set) lazy var widget = makeStop()
  /// The lines.
  private(set) var list = BoardList()
  /// The displayed selection.
  private(set) var selection: Set<ItemID> = []
  /// The row with the keyboard cursor.
  var cursor: ItemID? {
    didSet { if cursor != oldValue { onMoveCursor() } }
  }
  /// Called when the cursor is on another row.
  var onMoveCursor: () -> Void = {}
  /// The row from which the keyboard extends the selection.
  var extensionStart: ItemID?
  /// Called with a line that has become visible.
  var onShow: (RowView) -> Void = { _ in }
  /// Called with a new line, to add controllers.
  var onMake: (RowView) -> Void = { _ in }
  /// Called with a row of a stack whose button was pressed.
  var onToggle: (ItemID) -> Void = { _ in }
  /// Called when the user has changed the selection.
  var onSelect: (Set<ItemID>) -> Void = { _ in }
  /// Called with a row that the user activated by a double click or Enter.
  var onActivate: (ItemID) -> Void = { _ in }

  private let view: Widget
  private let scroller: Widget
  private let wheel: Wheel
  private lazy var anchor = ScrollAnchor(
    scroller,
    top: { [weak self] item in
      guard let self else { return nil }
      return row(of: item)?.frame?.edges(in: widget)?.top
    },
    scroll: { [weak self] item in
      guard let self, let index = list.index(of: item) else { return }
      shelf_scroll_to(view, guint(index))
    })
  /// The rows that are being dragged, whose lines are pale.
  var dragged: Set<ItemID> = [] {
    didSet { for row in visible { showDragged(row) } }
  }
  private let line = Make.box(GTK_ORIENTATION_HORIZONTAL)
  private let overlay = made(gtk_overlay_new())
  /// The row that gets the keyboard focus when it becomes visible, and the widget that has the
  /// focus until then.
  private var awaited: (item: ItemID, focus: Widget?)?
  private lazy var lines = RowViews(
    in: view,
    source: ShelfRowsSource(
      count: { guint(held($0, as: ListSurface.self)?.list.entries.count ?? 0) },
      is_selected: { held($0, as: ListSurface.self)?.isSelected(Int($1)) ?? false ? 1 : 0 },
      select: { held($0, as: ListSurface.self)?.take($1, $2) }),
    owner: self)

  /// Creates an empty list.
  ///
  /// - Parameter name: its name for screen readers.
  init(named name: String) {
    view = made(gtk_list_view_new(nil, nil))
    scroller = made(gtk_scrolled_window_new())
    wheel = Wheel(over: scroller)
    gtk_widget_add_css_class(view, "board")
    shelf_set_accessible_label(view, name)
    gtk_scrolled_window_set_child(scroller.opaque, view)
    gtk_scrolled_window_set_policy(scroller.opaque, GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC)
    gtk_overlay_set_child(overlay.opaque, scroller)
    overlay.expand()
    wheel.onTurn = { [weak self] in self?.anchor.release() }
    makeLine()
    connectLines()
    connect(view, "activate") { [weak self] arguments in
      guard let self, let item = list.item(at: Int(arguments.uint(1))) else { return }
      onActivate(item)
    }
  }

  /// Changes the name for screen readers.
  func rename(_ name: String) { shelf_set_accessible_label(view, name) }

  /// Removes the model.
  ///
  /// Afterwards the list is empty and cannot have the keyboard focus.
  func close() {
    gtk_list_view_set_model(view.opaque, nil)
    gtk_widget_set_can_focus(widget, 0)
  }

  private func makeLine() {
    gtk_widget_add_css_class(line, "insertion-line")
    gtk_widget_set_valign(line, GTK_ALIGN_START)
    gtk_widget_set_can_target(line, 0)
    line.show(false)
    gtk_overlay_add_overlay(overlay.opaque, line)
  }

  private func makeStop() -> Widget {
    made(
      shelf_stop_new(
        overlay,
        { data, isInside in
          guard let list = held(data, as: ListSurface.self) else { return SHELF_STOP_PASS }
          return isInside != 0 || !list.enter() ? SHELF_STOP_LEAVE : SHELF_STOP_STAY
        }, borrow(self)))
  }

  private func connectLines() {
    lines.onMake = { [weak self] row in self?.onMake(row) }
    lines.onToggle = { [weak self] row in
      guard let self, let item = row.index.flatMap(list.item(at:)) else { return }
      onToggle(item)
    }
    lines.onShow = { [weak self] row in
      guard let self else { return }
      onShow(row)
      showDragged(row)
      grabAwaited(by: row)
    }
  }

  private func showDragged(_ row: RowView) {
    let isDragged = row.index.map(list.items(at:))?.contains(where: dragged.contains) ?? false
    row.widget.setClass("dragged", isDragged)
  }

  // MARK: What is shown

  /// The lines that are visible, and some lines above and below them.
  var visible: [RowView] { lines.visible }

  /// The rows of the lines by distance: from the upper edge of the visible part down, then the
  /// lines above it, nearest first.
  var itemsByDistance: [ItemID] {
    let places = visible.compactMap {
      row -> (items: [ItemID], index: Int, top: Double, bottom: Double)? in
      guard let index = row.index else { return nil }
      let edges = row.frame?.edges(in: widget)
      return (
        list.items(at: index), index, edges?.top ?? .infinity, edges?.bottom ?? .infinity
      )
    }
    .sorted { ($0.top, $0.index) < ($1.top, $1.index) }
    return places.filter { $0.bottom > 0 }.flatMap(\.items)
      + places.reversed().filter { $0.bottom <= 0 }.flatMap(\.items)
  }

  /// Shows another list.
  ///
  /// Unchanged lines retain their widgets.
  func show(_ list: BoardList) {
    let splice = list.splice(from: self.list)
    let place = cursor.flatMap(self.list.index(of:))
    let hadKeyboard = hasKeyboard
    self.list = list
    guard let splice, let model = lines.model else { return }
    g_list_model_items_changed(
      model, guint(splice.index), guint(splice.removed), guint(splice.added))
    if let place, let cursor {
      // The cursor on a closed stack is the id of the stack's first row.
      let line = list.index(of: cursor) ?? min(place, list.entries.count - 1)
      self.cursor = list.item(at: line)
    }
    // The line with the focus may have been replaced.
    if hadKeyboard { focusCursor() }
  }

  /// Shows another selection.
  func show(selection: Set<ItemID>) {
    guard selection != self.selection, let model = lines.model else { return }
    self.selection = selection
    if !selection.isEmpty, cursor.map({ !selection.contains($0) }) ?? true {
      cursor = list.ordered(selection).first
    }
    guard !list.entries.isEmpty else { return }
    gtk_selection_model_selection_changed(model, 0, guint(list.entries.count))
  }

  private func isSelected(_ index: Int) -> Bool {
    list.items(at: index).contains(where: selection.contains)
  }

  /// Shows or hides the focus ring.
  ///
  /// GTK itself shows the ring only after keys that GTK handles.
  func showFocus(_ isShown: Bool = true) { view.setClass("keyboard", isShown) }

  /// Handles a selection that the user made with the pointer.
  private func take(_ selected: OpaquePointer?, _ mask: OpaquePointer?) {
    showFocus(false)
    var items = selection
    var marked: [ItemID] = []
    for index in list.entries.indices {
      guard gtk_bitset_contains(mask, guint(index)) != 0, let item = list.item(at: index)
      else { continue }
      if gtk_bitset_contains(selected, guint(index)) != 0 {
        items.formUnion(list.items(at: index))
        marked.append(item)
      } else {
        items.subtract(list.items(at: index))
      }
    }
    // A click on a row moves the cursor to the row.
    if marked.count == 1 { (cursor, extensionStart) = (marked[0], nil) }
    onSelect(items)
  }

  // MARK: Places

  /// Scrolls to a row and gives it the keyboard focus, unless the user is typing in another widget.
  func reveal(_ item: ItemID) {
    guard scroll(to: item) else { return }
    if focus.map({ shelf_takes_keys($0) == 0 }) ?? true { focusCursor() }
  }

  /// Scrolls to a row and moves the cursor to it.
  ///
  /// - Returns: whether the list has the row.
  private func scroll(to item: ItemID) -> Bool {
    guard let index = list.index(of: item) else { return false }
    anchor.release()
    shelf_scroll_to(view, guint(index))
    cursor = list.item(at: index)
    return true
  }

  /// Whether a row has the keyboard focus, or gets it when the window becomes active.
  private var hasKeyboard: Bool {
    focus.map { gtk_widget_is_ancestor($0, widget) != 0 } ?? false
  }

  private var focus: Widget? { gtk_widget_get_root(widget).flatMap { gtk_root_get_focus($0) } }

  private func focusCursor() {
    awaited = cursor.map { ($0, focus) }
    if let row = cursor.flatMap(row(of:)) { grabAwaited(by: row) }
  }

  private func grabAwaited(by row: RowView) {
    guard let item = awaited?.item, row.index.flatMap(list.item(at:)) == item else { return }
    // The focus must not change while GTK changes the list.
    MainLoop.after(.zero) { [weak self] in
      guard let self, let before = awaited, before.item == item,
        let frame = self.row(of: item)?.frame
      else { return }
      awaited = nil
      // The user may have begun to type in another widget.
      let isTyping = focus.map { $0 != before.focus && shelf_takes_keys($0) != 0 } ?? false
      if !isTyping { gtk_widget_grab_focus(frame) }
    }
  }

  /// Gives the keyboard focus to the row with the cursor, or else to the first row.
  ///
  /// - Returns: whether there is a row.
  @discardableResult
  func enter() -> Bool {
    let place = cursor.flatMap(list.index(of:)) ?? list.index(.first, from: nil)
    guard let item = place.flatMap(list.item(at:)), scroll(to: item) else { return false }
    focusCursor()
    return true
  }

  /// Returns the line of a row if it is visible.
  func row(of item: ItemID) -> RowView? {
    visible.first { $0.index.map(list.items(at:))?.contains(item) ?? false }
  }

  /// Returns the gap at a pointer position.
  func gap(at height: Double) -> BoardList.Gap { list.gap(at: height, among: bands) }

  /// Returns the index of the closed stack that a drop at a pointer position joins; nil if it joins
  /// no closed stack.
  func stack(under height: Double) -> Int? { list.stack(under: height, among: bands) }

  private var bands: [BoardList.Band] {
    visible.compactMap { row in
      guard let index = row.index, let edges = row.frame?.edges(in: widget) else { return nil }
      return BoardList.Band(index: index, top: edges.top, bottom: edges.bottom)
    }
  }

  /// Keeps the lines around a drop where they are while the list changes.
  ///
  /// - Parameters:
  ///   - height: the height of the drop.
  ///   - moved: the rows of this list that the drop moves.
  func hold(at height: Double, moving moved: Set<ItemID>) {
    anchor.hold(
      at: height,
      among: visible.compactMap { row in
        guard let items = row.index.map(list.items(at:)), let item = items.first,
          moved.isDisjoint(with: items), let edges = row.frame?.edges(in: widget)
        else { return nil }
        return (item, edges.top, edges.bottom)
      })
  }

  /// Highlights the stack that a drop joins, or shows the insertion line of a drop.
  ///
  /// If both arguments are nil, hides both.
  func showTarget(_ stack: Int?, _ gap: BoardList.Gap?) {
    for row in visible { row.frame?.setClass("joined", stack != nil && row.index == stack) }
    showLine(at: stack == nil ? gap : nil)
  }

  private func showLine(at gap: BoardList.Gap?) {
    line.show(gap != nil)
    guard let gap else { return }
    line.setMargins(vertical: 0, horizontal: 14)
    gtk_widget_set_margin_top(line, Int32(max(0, gap.height - 1)))
  }

  /// Scrolls by a small step if a drag is near the upper or the lower edge.
  ///
  /// - Returns: whether the list has scrolled.
  func scroll(towards height: Double) -> Bool {
    let extent = Double(gtk_widget_get_height(scroller))
    let speed = height < 36 ? height - 36 : height > extent - 36 ? height - extent + 36 : 0
    guard speed != 0,
      let adjustment = gtk_scrolled_window_get_vadjustment(scroller.opaque)
    else { return false }
    let before = gtk_adjustment_get_value(adjustment)
    gtk_adjustment_set_value(adjustment, before + speed / 2)
    return gtk_adjustment_get_value(adjustment) != before
  }
}
