import CGtk4
import CShelf
import DragboardClient
import ShelfModel

/// The window of the picker: a search field, the boards, the found rows, and the keys.
///
/// The window exists from the first use on, and is hidden while it is closed.
final class PickerWindow {
  /// The AdwApplicationWindow.
  let widget: Widget
  /// The list of rows.
  let rows = PickerRows()
  /// Shows messages in the window.
  private(set) lazy var report = Report { [overlay] in Toast.show($0, $1, in: overlay) }
  /// Called when the text of the search field has changed.
  var onType: (String) -> Void = { _ in }
  /// Called with a key that has a meaning for the picker.
  var onKey: (PickerKey) -> Void = { _ in }
  /// Called with the index of a board whose button was pressed.
  var onBoard: (Int) -> Void = { _ in }
  /// Called when the user tries again to read the boards.
  var onRetry: () -> Void = {}
  /// Called when the user closes the window.
  var onClose: () -> Void = {}
  private let overlay = made(adw_toast_overlay_new())
  private let entry = made(gtk_search_entry_new())
  private let boards = Make.box(GTK_ORIENTATION_HORIZONTAL, spacing: 4)
  private let boardBar: Widget
  private var boardButtons: [Widget] = []
  private let body = made(gtk_stack_new())
  private lazy var status = StatusView(retry: { [weak self] in self?.onRetry() })
  private let question = made(shelf_message_new())
  private let questionBar = made(gtk_revealer_new())
  /// Whether the user has begun a search with a key, so that digits and spaces are text.
  private var hasBegunSearch = false
  private var isFilling = false

  /// The size of the window, which cannot be changed: so tiling desktops show it in the middle.
  private static let size: (width: Int32, height: Int32) = (520, 560)

  /// Creates a hidden window.
  init(of application: OpaquePointer) {
    widget = made(adw_application_window_new(application.of()))
    boardBar = Make.scroller(boards)
    gtk_window_set_title(widget.of(), localized("Paste from a Board"))
    gtk_window_set_icon_name(widget.of(), ShelfApplication.id)
    gtk_widget_add_css_class(widget, "shelf")
    gtk_widget_add_css_class(widget, "picker")
    gtk_window_set_resizable(widget.of(), 0)
    gtk_widget_set_size_request(overlay, Self.size.width, Self.size.height)
    makeContents()
    makeKeys()
    answer(widget, "close-request") { [weak self] _ in
      self?.onClose()
      return .handled(true)
    }
  }

  // MARK: Parts

  private func makeContents() {
    shelf_set_accessible_label(entry, localized("Search"))
    gtk_widget_set_hexpand(entry, 1)
    connect(entry, "changed") { [weak self] _ in
      guard let self, !isFilling else { return }
      onType(text)
    }
    let top = Make.box(GTK_ORIENTATION_HORIZONTAL, entry)
    gtk_widget_add_css_class(top, "picker-search")
    // The window has no title bar, so its upper part moves it.
    let handle = made(gtk_window_handle_new())
    gtk_window_handle_set_child(handle.opaque, top)

    gtk_scrolled_window_set_policy(boardBar.opaque, GTK_POLICY_EXTERNAL, GTK_POLICY_NEVER)
    gtk_widget_add_css_class(boards, "picker-boards")
    boardBar.show(false)

    gtk_stack_add_named(body.opaque, rows.widget, "rows")
    gtk_stack_add_named(body.opaque, status.widget, "status")
    body.expand()

    gtk_label_set_justify(question.opaque, GTK_JUSTIFY_CENTER)
    gtk_label_set_xalign(question.opaque, 0.5)
    gtk_widget_add_css_class(question, "heading")
    gtk_widget_add_css_class(question, "picker-question")
    gtk_revealer_set_child(questionBar.opaque, question)

    let keys = Make.label(
      localized("Enter pastes · Ctrl+Enter pastes plain text · Space shows more · Tab: next board"),
      classes: "caption", "dim-label", "picker-keys")
    gtk_label_set_xalign(keys.opaque, 0.5)
    gtk_label_set_ellipsize(keys.opaque, PANGO_ELLIPSIZE_END)

    adw_toast_overlay_set_child(
      overlay.opaque,
      Make.box(GTK_ORIENTATION_VERTICAL, handle, boardBar, body, questionBar, keys))
    adw_application_window_set_content(widget.of(), overlay)
    Toast.nameButtons(in: overlay)
  }

  private func makeKeys() {
    let keys = made(gtk_event_controller_key_new())
    gtk_event_controller_set_propagation_phase(keys, GTK_PHASE_CAPTURE)
    answer(keys, "key-pressed") { [weak self] arguments in
      guard let self,
        let key = PickerKey(value: arguments.uint(1), state: arguments.flags(3), in: search)
      else { return .handled(false) }
      if key == .search { beginSearch() } else { onKey(key) }
      return .handled(true)
    }
    gtk_widget_add_controller(widget, keys)
  }

  private var search: PickerKey.Search {
    var (start, end): (gint, gint) = (0, 0)
    let hasSelection = gtk_editable_get_selection_bounds(entry.opaque, &start, &end) != 0
    let text = text
    let isAtEnd =
      !hasSelection
      && Int(gtk_editable_get_position(entry.opaque)) == text.unicodeScalars.count
    return PickerKey.Search(isBegun: hasBegunSearch || !text.isEmpty, isAtEnd: isAtEnd)
  }

  private func beginSearch() {
    hasBegunSearch = true
    gtk_widget_grab_focus(entry)
    gtk_editable_select_region(entry.opaque, 0, -1)
  }

  private var text: String { shelf_text(entry).map { String(cString: $0) } ?? "" }

  // MARK: What is shown

  /// Empties the search field, and gives it the keyboard focus.
  func reset() {
    hasBegunSearch = false
    isFilling = true
    shelf_set_text(entry.object, "")
    isFilling = false
    ask(nil)
    gtk_widget_grab_focus(entry)
  }

  /// Shows the names of the boards; a single board has no button.
  func show(boards names: [String], current: Int) {
    boardBar.show(names.count > 1)
    while boardButtons.count > names.count {
      gtk_box_remove(boards.of(), boardButtons.removeLast())
    }
    while boardButtons.count < names.count {
      let (index, button) = (boardButtons.count, made(gtk_toggle_button_new()))
      gtk_widget_add_css_class(button, "flat")
      gtk_widget_set_focusable(button, 0)
      connect(button, "clicked") { [weak self] _ in self?.onBoard(index) }
      gtk_box_append(boards.of(), button)
      boardButtons.append(button)
    }
    for (index, button) in boardButtons.enumerated() {
      gtk_button_set_label(button.of(), names[index])
      gtk_toggle_button_set_active(button.of(), index == current ? 1 : 0)
    }
    if names.indices.contains(current) {
      rows.rename(names[current])
      shelf_set_placeholder(entry, localized("Search in %1", names[current]))
      reveal(boardButtons[current])
    }
  }

  /// Scrolls to the button of a board.
  private func reveal(_ button: Widget) {
    MainLoop.after(.zero) { [weak self] in
      guard let self, let bounds = button.sides(in: boards),
        let adjustment = gtk_scrolled_window_get_hadjustment(boardBar.opaque)
      else { return }
      gtk_adjustment_clamp_page(adjustment, bounds.left, bounds.right)
    }
  }

  /// Shows the rows, or a message in their place.
  func show(_ state: StatusView.State?) {
    if let state { status.show(state) }
    gtk_stack_set_visible_child_name(body.opaque, state == nil ? "rows" : "status")
  }

  /// Shows a question above the keys, which the next Enter answers; nil hides it.
  func ask(_ text: String?) {
    if let text {
      gtk_label_set_text(question.opaque, text)
      shelf_announce(widget, text)
    }
    gtk_revealer_set_reveal_child(questionBar.opaque, text == nil ? 0 : 1)
  }

  /// Says the selected row to screen readers, because the search field has the keyboard focus.
  func announceSelection() {
    if let description = rows.description { shelf_announce(entry, description) }
  }

  /// Whether the user holds a modifier, as far as a window with the focus knows.
  var hasModifiers: Bool {
    guard let seat = gdk_display_get_default_seat(gtk_widget_get_display(widget)),
      let keyboard = gdk_seat_get_keyboard(seat)
    else { return false }
    let modifiers =
      GDK_SHIFT_MASK.rawValue | GDK_CONTROL_MASK.rawValue | GDK_ALT_MASK.rawValue
      | GDK_SUPER_MASK.rawValue | GDK_META_MASK.rawValue | GDK_HYPER_MASK.rawValue
    return gdk_device_get_modifier_state(keyboard).rawValue & modifiers != 0
  }

  // MARK: Opening

  /// Whether the window is visible.
  var isOpen: Bool { gtk_widget_get_mapped(widget) != 0 }

  /// Shows the window in the middle of the screen, and gives it the keyboard focus.
  func open() {
    PickerPlacement.place(widget, Self.size)
    gtk_window_present(widget.of())
  }

  /// Hides the window, and waits until the display has handled this.
  func hide() {
    widget.show(false)
    gdk_display_sync(gtk_widget_get_display(widget))
  }
}

extension UnsafeMutablePointer where Pointee == GtkWidget {
  /// Returns the left and right edge in the coordinates of another widget.
  fileprivate func sides(in other: Widget) -> (left: Double, right: Double)? {
    var bounds = graphene_rect_t()
    guard gtk_widget_compute_bounds(self, other, &bounds) != 0 else { return nil }
    return (Double(bounds.origin.x), Double(bounds.origin.x + bounds.size.width))
  }
}
