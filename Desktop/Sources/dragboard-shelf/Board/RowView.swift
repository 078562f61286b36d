import CGtk4
import CShelf
import DragboardClient
import ShelfModel

/// A line of a board's list: a section's header, or a row or a closed stack.
///
/// A row has a picture, its first lines and marks; the row under the pointer also has a handle.
/// Lines that scroll out of sight are reused.
final class RowView {
  /// The content of the line.
  let widget: Widget
  /// The GtkListItem of the line.
  let listItem: OpaquePointer
  private let header = Make.label(classes: "section-name", "heading", "dim-label")
  private let image = made(gtk_image_new())
  private var pile: RowPile?
  private let title = Make.label(classes: "title")
  private let detail = Make.label(classes: "caption", "dim-label")
  private var extras: RowExtras?
  private var number: Widget?
  private let row: Widget
  private let toggle: (RowView) -> Void

  /// The maximum number of rows of a stack that are read for its description.
  static let maxDescribed = 100

  /// Creates a line.
  ///
  /// `toggle` is called when the button of a stack is pressed.
  init(_ listItem: OpaquePointer, toggle: @escaping (RowView) -> Void) {
    (self.listItem, self.toggle) = (listItem, toggle)
    let texts = Make.box(GTK_ORIENTATION_VERTICAL, spacing: 2, title, detail)
    gtk_widget_set_hexpand(texts, 1)
    gtk_widget_set_valign(texts, GTK_ALIGN_CENTER)
    row = Make.box(GTK_ORIENTATION_HORIZONTAL, spacing: 12, image, texts)
    widget = Make.box(GTK_ORIENTATION_VERTICAL, header, row)
    gtk_widget_add_css_class(row, "row")
    gtk_label_set_wrap(title.opaque, 1)
    gtk_label_set_wrap_mode(title.opaque, PANGO_WRAP_WORD_CHAR)
    gtk_label_set_lines(title.opaque, 3)
    // Without a minimum width, GTK measures the label with one character in each line.
    gtk_label_set_width_chars(title.opaque, 12)
    gtk_label_set_ellipsize(title.opaque, PANGO_ELLIPSIZE_END)
    gtk_label_set_ellipsize(detail.opaque, PANGO_ELLIPSIZE_END)
    gtk_list_item_set_child(listItem, widget)
  }

  /// The line's index in the list; nil if the list does not use the line.
  var index: Int? {
    let position = gtk_list_item_get_position(listItem)
    return position == guint.max ? nil : Int(position)
  }

  /// The widget that GTK adds around the line.
  ///
  /// It has the focus and the selection.
  var frame: Widget? { gtk_widget_get_parent(widget) }

  /// Calls `body` with the position when the secondary button of the pointer is pressed.
  func onSecondaryClick(_ body: @escaping (Double, Double) -> Void) {
    let click = made(gtk_gesture_click_new())
    gtk_gesture_single_set_button(click.opaque, guint(GDK_BUTTON_SECONDARY))
    connect(click, "pressed") { body($0.double(2), $0.double(3)) }
    gtk_widget_add_controller(widget, click.opaque)
  }

  /// Calls `body` when the handle, which is at the end of the line, is clicked.
  ///
  /// A drag from the handle is no click.
  func onHandleClick(_ body: @escaping () -> Void) {
    let click = made(gtk_gesture_click_new())
    connect(click, "released") { [widget] in
      let isMirrored = gtk_widget_get_direction(widget) == GTK_TEXT_DIR_RTL
      let x = $0.double(2)
      let fromEnd = isMirrored ? x : Double(gtk_widget_get_width(widget)) - x
      if (0...Self.handleWidth).contains(fromEnd) { body() }
    }
    gtk_widget_add_controller(widget, click.opaque)
  }

  /// The width of the handle and its margin: see `style.css`.
  private static let handleWidth = 28.0

  /// Shows a section's header.
  func showHeader(_ name: String) {
    header.show(true)
    row.show(false)
    gtk_label_set_text(header.opaque, name)
    frame?.setClass("section", true)
    prepare(isRow: false, localized("Section %1", name))
  }

  /// Shows a row.
  ///
  /// - Parameters:
  ///   - facts: the row's facts; nil if they are unknown.
  ///   - preview: the row's preview.
  ///   - stack: the row's index in its open stack, and the number of rows in the stack; nil if it
  ///     is in no open stack.
  func show(
    _ facts: RowFacts?, _ preview: RowPreview?, inStack stack: (place: Int, count: Int)? = nil
  ) {
    let text = preview?.title ?? facts?.title ?? ""
    let small = preview?.detail ?? facts?.detail(describe: \.readable) ?? ""
    show(text, small)
    frame?.setClass("stacked", stack != nil)
    row.setClass("missing", preview?.isMissing ?? false)
    row.setClass("code", preview?.isCode ?? (facts?.recognition == .code))
    image.show(true)
    RowPile.show(facts, preview, in: image, extent: 40)
    show(
      RowExtras.Parts(
        isPinned: facts?.isPinned ?? false, isEditable: facts?.isEditable ?? true,
        isMovable: facts?.isMovable ?? true, isOpen: stack?.place == 0 ? true : nil))
    let states = [
      stack.map { localized("%1 of %2 in a stack", "\($0.place + 1)", "\($0.count)") } ?? "",
      facts?.isPinned == true ? localized("pinned") : "",
      facts?.isEditable == false ? localized("locked") : "",
      facts?.isMovable == false ? localized("position locked") : "",
    ]
    prepare(
      isRow: true, ([text, small] + states).filter { !$0.isEmpty }.joined(separator: ", "))
  }

  /// Shows a closed stack of rows.
  func show(stack: [(facts: RowFacts?, preview: RowPreview?)]) {
    let described = stack.count <= Self.maxDescribed ? stack : []
    let kinds = described.map { row in
      row.facts.flatMap { facts in
        facts.kind == .addresses && row.preview == nil
          ? nil : StackedKind(facts, fileType: row.preview?.fileType)
      }
    }
    let summary = StackedKind.summary(of: stack.count, kinds)
    let titles = stack.prefix(3).compactMap { $0.preview?.title ?? $0.facts?.title }
    let names = titles.map { String($0.prefix { !$0.isNewline }) }
      .joined(separator: localized(", "))
    show(summary, stack.count > 3 ? localized("%1, …", names) : names)
    frame?.setClass("stacked", false)
    row.setClass("code", false)
    row.setClass("missing", stack.allSatisfy { $0.preview?.isMissing ?? false })
    image.show(false)
    showPile(of: Array(stack.prefix(RowPile.depth)))
    let isLocked = stack.allSatisfy { $0.facts?.isEditable == false }
    show(RowExtras.Parts(isEditable: !isLocked, isOpen: false))
    let name = counted("Stack of one item", "Stack of %1 items", stack.count)
    let states = isLocked ? [localized("locked")] : []
    prepare(isRow: true, ([name, summary, names] + states).joined(separator: ", "))
  }

  private func show(_ text: String, _ small: String) {
    header.show(false)
    row.show(true)
    frame?.setClass("section", false)
    // The label limits the number of lines of each paragraph, so the text must be a single
    // paragraph.
    gtk_label_set_text(title.opaque, text.replacing("\n", with: "\u{2028}"))
    gtk_label_set_text(detail.opaque, small)
    detail.show(!small.isEmpty)
    pile?.widget.show(false)
  }

  private func showPile(of rows: [(facts: RowFacts?, preview: RowPreview?)]) {
    let pile = pile ?? RowPile()
    if self.pile == nil { gtk_box_prepend(row.of(), pile.widget) }
    self.pile = pile
    pile.show(rows)
  }

  private func show(_ parts: RowExtras.Parts) {
    if extras == nil, parts != RowExtras.Parts() {
      let new = RowExtras { [weak self] in if let self { toggle(self) } }
      gtk_box_append(row.of(), new.widget)
      extras = new
    }
    extras?.show(parts)
  }

  /// Shows the key that pastes the row; nil for none.
  func show(number: Int?) {
    if self.number == nil, number != nil {
      let label = Make.label(classes: "row-number", "caption", "dim-label", "numeric")
      gtk_widget_set_valign(label, GTK_ALIGN_CENTER)
      gtk_box_append(row.of(), label)
      self.number = label
    }
    self.number?.show(number != nil)
    if let number, let label = self.number { gtk_label_set_text(label.opaque, "\(number)") }
  }

  private func prepare(isRow: Bool, _ name: String) {
    gtk_list_item_set_selectable(listItem, isRow ? 1 : 0)
    gtk_list_item_set_activatable(listItem, isRow ? 1 : 0)
    if let frame {
      gtk_widget_set_focusable(frame, isRow ? 1 : 0)
      shelf_set_accessible_label(frame, name)
    }
  }
}

extension HeldOut {
  /// Shows the symbol of the kind.
  ///
  /// For other content, shows the symbol of the type if the desktop has one.
  func showSymbol(in image: Widget) {
    let symbol = kind == .other ? types.first?.symbol(for: image) : nil
    gtk_image_set_from_icon_name(image.opaque, symbol ?? iconName)
  }

  private static var codeIconName: String { "utilities-terminal-symbolic" }

  /// The symbol of a text with a certain type or meaning, or of the kind.
  var iconName: String {
    switch recognition {
    case .link: return RowKind.addresses.iconName
    case .mailbox: return "mail-unread-symbolic"
    case .code: return Self.codeIconName
    case nil: return kind == .text && textType?.isCode == true ? Self.codeIconName : kind.iconName
    }
  }
}

extension ContentType {
  /// Returns the first symbol for a type that exists in the icon theme of a widget.
  fileprivate func symbol(for widget: Widget) -> String? {
    let theme = gtk_icon_theme_get_for_display(gtk_widget_get_display(widget))
    let icon = g_content_type_get_symbolic_icon(String(rawValue.prefix { $0 != ";" }))
    defer { if let icon { g_object_unref(icon.object) } }
    guard let icon, var names = g_themed_icon_get_names(icon) else { return nil }
    while let name = names.pointee.map({ String(cString: $0) }) {
      if name.hasSuffix("-symbolic"), gtk_icon_theme_has_icon(theme, name) != 0 { return name }
      names += 1
    }
    return nil
  }
}

extension RowKind {
  /// The symbol of the kind in the desktop's icon theme.
  var iconName: String {
    switch self {
    case .text: "text-x-generic-symbolic"
    case .image: "image-x-generic-symbolic"
    case .addresses: "insert-link-symbolic"
    case .markup: "insert-text-symbolic"
    case .other: "package-x-generic-symbolic"
    }
  }
}
