import CGtk4
import CShelf
import DragboardClient
import ShelfModel

/// The visible list of a picker.
///
/// Only the visible rows have widgets. The list never has the keyboard focus, which stays in the
/// search field.
final class PickerRows {
  /// The list with its scroll bar.
  let widget: Widget
  /// Returns the preview of a row, if it has been read.
  var preview: (RowFacts) -> RowPreview? = { _ in nil }
  /// Called with the index of the last visible row when the list is scrolled or its height changes.
  var onShow: (Int) -> Void = { _ in }
  /// Called with the index of a row that the pointer has selected.
  var onSelect: (Int) -> Void = { _ in }
  /// Called with the index of a row that was clicked.
  var onClick: (Int) -> Void = { _ in }
  private let view = made(gtk_list_view_new(nil, nil))
  private var rows: [RowFacts] = []
  private var selected: Int?
  private lazy var lines = RowViews(
    in: view,
    source: ShelfRowsSource(
      count: { guint(held($0, as: PickerRows.self)?.rows.count ?? 0) },
      is_selected: { held($0, as: PickerRows.self)?.selected == Int($1) ? 1 : 0 },
      select: { held($0, as: PickerRows.self)?.take($1, $2) }),
    owner: self)

  /// The number of rows that have a key of their own: 1 to 9.
  static let numbered = 9

  /// Creates an empty list.
  init() {
    widget = Make.scroller(view)
    gtk_scrolled_window_set_policy(widget.opaque, GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC)
    widget.expand()
    gtk_widget_add_css_class(view, "board")
    gtk_widget_set_can_focus(view, 0)
    connectLines()
    followScrolling()
  }

  /// Sets the name for screen readers.
  func rename(_ name: String) { shelf_set_accessible_label(view, name) }

  private func connectLines() {
    lines.onMake = { [weak self] view in
      let click = made(gtk_gesture_click_new())
      connect(click, "released") { [weak self, weak view] _ in
        if let index = view?.index { self?.onClick(index) }
      }
      gtk_widget_add_controller(view.widget, click.opaque)
    }
    lines.onShow = { [weak self] view in self?.fill(view) }
  }

  /// Reports which rows are visible.
  ///
  /// GTK makes widgets for up to 200 rows, most of them below the visible ones, so widgets do not tell.
  private func followScrolling() {
    guard let position = gtk_scrolled_window_get_vadjustment(widget.opaque) else { return }
    // The second signal reports that the window has become higher, or shows other rows.
    for signal in ["value-changed", "changed"] {
      connect(position, signal) { [weak self] _ in
        let height = gtk_adjustment_get_upper(position)
        guard let self, !rows.isEmpty, height > 0 else { return }
        let end = gtk_adjustment_get_value(position) + gtk_adjustment_get_page_size(position)
        onShow(min(Int(end / height * Double(rows.count)), rows.count - 1))
      }
    }
  }

  private func fill(_ view: RowView) {
    guard let index = view.index, rows.indices.contains(index) else { return }
    view.show(rows[index], preview(rows[index]))
    view.show(number: index < Self.numbered ? index + 1 : nil)
  }

  private func take(_ selected: OpaquePointer?, _ mask: OpaquePointer?) {
    let size = gtk_bitset_get_size(selected)
    guard size > 0 else { return }
    onSelect(Int(gtk_bitset_get_minimum(selected)))
  }

  // MARK: What is shown

  /// The visible rows, and some rows above and below them, in order.
  var visible: [RowFacts] {
    lines.visible.compactMap(\.index).sorted().filter(rows.indices.contains).map { rows[$0] }
  }

  /// Shows other rows.
  ///
  /// Equal rows at the beginning retain their widgets.
  func show(_ new: [RowFacts]) {
    guard new != rows, let model = lines.model else { return }
    let old = rows
    let common = zip(old, new).prefix { $0.0.id == $0.1.id }.count
    rows = new
    if let selected, selected >= new.count { self.selected = nil }
    if common < max(old.count, new.count) {
      g_list_model_items_changed(
        model, guint(common), guint(old.count - common), guint(new.count - common))
    }
    for view in lines.visible { fill(view) }
  }

  /// Selects a row, and scrolls to it.
  func select(_ index: Int?, scrolling: Bool) {
    let old = selected
    selected = index
    if let model = lines.model, old != index {
      for changed in [old, index].compactMap(\.self) where rows.indices.contains(changed) {
        gtk_selection_model_selection_changed(model, guint(changed), 1)
      }
    }
    if scrolling, let index { shelf_scroll_to(view, guint(index)) }
  }

  /// Shows a row again, whose preview has been read.
  func refresh(_ item: ItemID) {
    for view in lines.visible where view.index.map({ rows[$0].id }) == item {
      fill(view)
    }
  }

  /// The number of rows that fit into the window.
  var pageCount: Int {
    let height = Double(gtk_widget_get_height(widget))
    let first = lines.visible.lazy.compactMap(\.frame).first
    let rowHeight = first.map { Double(gtk_widget_get_height($0)) } ?? 0
    return max(1, Int(height / max(rowHeight, 40)) - 1)
  }

  /// The text that describes the selected row for screen readers.
  var description: String? {
    guard let selected, rows.indices.contains(selected) else { return nil }
    let row = rows[selected]
    let preview = preview(row)
    let detail = preview?.detail ?? row.detail(describe: \.readable)
    return [preview?.title ?? row.title, detail].filter { !$0.isEmpty }.joined(separator: ", ")
  }
}
