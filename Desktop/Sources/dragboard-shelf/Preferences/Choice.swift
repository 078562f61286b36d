import CGtk4

/// An AdwComboRow that distinguishes choices by the user from choices by the program.
final class Choice {
  /// Called when the user has chosen an entry, with its index.
  var onChange: (Int) -> Void = { _ in }
  private let widget: Widget
  private var entries: [String] = []
  private var isShowing = false

  /// Creates the choice of a row.
  init(_ widget: Widget) {
    self.widget = widget
    connect(widget, "notify::selected") { [weak self] _ in
      guard let self, !isShowing, let index else { return }
      onChange(index)
    }
  }

  /// The index of the chosen entry; nil if there is none.
  private var index: Int? {
    let index = adw_combo_row_get_selected(widget.of())
    return index == guint.max ? nil : Int(index)
  }

  /// Shows entries, one of which is chosen.
  func show(_ entries: [String], chosen index: Int) {
    isShowing = true
    defer { isShowing = false }
    // New entries would close the list in which the user is choosing.
    if entries != self.entries { fill(entries) }
    if index != self.index { adw_combo_row_set_selected(widget.of(), guint(index)) }
  }

  private func fill(_ entries: [String]) {
    self.entries = entries
    let list = made(gtk_string_list_new(nil))
    for entry in entries { gtk_string_list_append(list, entry) }
    adw_combo_row_set_model(widget.of(), list)
    g_object_unref(list.object)
  }
}
