import CGtk4
import CShelf
import DragboardClient
import ShelfModel

/// The rows through which a large preview browses.
protocol PreviewedRows: AnyObject {
  /// The board of the rows.
  var board: Board { get }
  /// Returns the label of the button that opens a row, and its action; nil without a button.
  func opening(of row: RowFacts) -> (label: String, open: () -> Void)?
  /// Selects another row, and returns it; nil if there is no other row.
  func row(after step: BoardList.KeyboardStep) async -> RowFacts?
}

extension BoardPage: PreviewedRows {
  func opening(of row: RowFacts) -> (label: String, open: () -> Void)? {
    guard !row.isText else { return nil }
    let label = mayRunScripts(row.id) ? localized("Open in Browser") : localized("Open")
    return (label, { [weak self] in self?.open(row.id) })
  }

  func row(after step: BoardList.KeyboardStep) async -> RowFacts? {
    let before = chosen.first
    go(step, extending: false)
    guard let item = chosen.first, item != before else { return nil }
    return try? await facts(of: [item]).first
  }
}

/// A window with a large preview of a row: its text, its picture, or its icon and facts.
enum PreviewWindow {
  /// The maximum width and height of a picture in pixels.
  private static let extent = 1600

  /// Shows the preview of a row.
  ///
  /// Space, Escape and Return close the window. The arrows browse the rows; in a text, Up and Down
  /// scroll.
  ///
  /// - Parameters:
  ///   - row: the row.
  ///   - page: the rows of its board.
  ///   - window: the window below the preview.
  ///   - isWanted: returns false if the user has meanwhile asked for another preview.
  static func show(
    _ row: RowFacts, on page: any PreviewedRows, over window: Widget, isWanted: () -> Bool
  ) async {
    let (content, header) = await parts(of: row, on: page)
    guard isWanted() else { return discard(content, header) }
    let preview = made(adw_window_new())
    gtk_window_set_title(preview.of(), localized("Preview"))
    gtk_window_set_transient_for(preview.of(), window.of())
    gtk_window_set_modal(preview.of(), 1)
    gtk_window_set_default_size(preview.of(), 560, 480)
    fill(preview, content, header, row, page)
    addKeys(to: preview, page)
    gtk_window_present(preview.of())
    gtk_widget_child_focus(content, GTK_DIR_TAB_FORWARD)
  }

  private static func discard(_ parts: Widget...) {
    for part in parts {
      g_object_ref_sink(part.object)
      g_object_unref(part.object)
    }
  }

  /// Returns the content of a preview and its header.
  private static func parts(
    of row: RowFacts, on page: any PreviewedRows
  ) async -> (content: Widget, header: Widget) {
    let small = await RowPreview.read(row, on: page.board)
    let content = await content(of: row, small, on: page.board)
    let title = small.title ?? row.title
    let words = String(title.prefix { !$0.isNewline })
    let header = made(adw_header_bar_new())
    adw_header_bar_set_title_widget(
      header.opaque, adw_window_title_new(words, small.detail ?? row.detail(describe: \.readable)))
    return (content, header)
  }

  private static func fill(
    _ preview: Widget, _ content: Widget, _ header: Widget, _ row: RowFacts,
    _ page: any PreviewedRows
  ) {
    if let opening = page.opening(of: row) {
      let open = Make.button(opening.label) {
        opening.open()
        gtk_window_close(preview.of())
      }
      adw_header_bar_pack_start(header.opaque, open)
    }
    content.expand()
    adw_window_set_content(preview.of(), Make.box(GTK_ORIENTATION_VERTICAL, header, content))
  }

  private static func addKeys(to window: Widget, _ page: any PreviewedRows) {
    let keys = made(gtk_event_controller_key_new())
    gtk_event_controller_set_propagation_phase(keys, GTK_PHASE_CAPTURE)
    let browsing = Browsing()
    answer(keys, "key-pressed") { arguments in
      let key = Int32(bitPattern: arguments.uint(1))
      let isText = gtk_window_get_focus(window.of()).map { shelf_takes_keys($0) != 0 } ?? false
      switch key {
      case GDK_KEY_space, GDK_KEY_Escape: gtk_window_close(window.of())
      case GDK_KEY_Right: browse(.rows(1), window, page, browsing)
      case GDK_KEY_Left: browse(.rows(-1), window, page, browsing)
      case GDK_KEY_Down where !isText: browse(.rows(1), window, page, browsing)
      case GDK_KEY_Up where !isText: browse(.rows(-1), window, page, browsing)
      default: return .handled(false)
      }
      return .handled(true)
    }
    connect(window, "destroy") { _ in browsing.latest += 1 }
    gtk_widget_add_controller(window, keys)
  }

  /// The number of the latest step, so that a slow preview does not replace a later one.
  private final class Browsing { var latest = 0 }

  /// Moves the selection by a step, and shows the selected row.
  private static func browse(
    _ step: BoardList.KeyboardStep, _ preview: Widget, _ page: any PreviewedRows,
    _ browsing: Browsing
  ) {
    browsing.latest += 1
    let number = browsing.latest
    Task {
      guard let row = await page.row(after: step) else { return }
      let (content, header) = await parts(of: row, on: page)
      guard browsing.latest == number else { return discard(content, header) }
      fill(preview, content, header, row, page)
      gtk_widget_child_focus(content, GTK_DIR_TAB_FORWARD)
    }
  }

  private static func content(
    of row: RowFacts, _ small: RowPreview, on board: Board
  ) async -> Widget {
    let answer = await answerOfReader(for: row, small, on: board)
    if let picture = answer?.texture() {
      let widget = made(gtk_picture_new_for_paintable(picture.pointer))
      gtk_picture_set_can_shrink(widget.opaque, 1)
      return widget
    }
    if let text = answer?.text {
      return scrolled(ShownText.beginning(of: text.beginning, isCut: text.isCut))
    }
    if let text = await text(of: row, on: board) { return scrolled(text) }
    let page = made(adw_status_page_new())
    adw_status_page_set_title(page.opaque, small.title ?? row.title)
    let facts = small.detail ?? row.detail(describe: \.readable)
    adw_status_page_set_description(page.opaque, facts.escapingMarkup)
    if let names = small.icon.flatMap({ g_icon_to_string($0.pointer) }) {
      adw_status_page_set_icon_name(
        page.opaque,
        String(cString: names).split(separator: " ").first { $0.contains("-") }.map(String.init))
      g_free(names)
    } else {
      let name = small.isBroken ? "image-missing-symbolic" : row.iconName
      adw_status_page_set_icon_name(page.opaque, name)
    }
    return page
  }

  /// Returns the picture, the first page or the text of a row or of its file; nil if it has none.
  private static func answerOfReader(
    for row: RowFacts, _ small: RowPreview, on board: Board
  ) async -> PreviewAnswer? {
    if small.picture != nil, [.image, .other].contains(row.kind), let type = row.mainType {
      guard let file = try? await board.file(of: row.id, as: type) else { return nil }
      return await FilePreviewReader.read(file, extent: extent)
    }
    guard small.addresses.count == 1, !small.isMissing,
      let path = small.addresses.first.flatMap({ Addresses.pathBytes(of: $0) })
    else { return nil }
    return await FilePreviewReader.read(path, extent: extent)
  }

  private static func text(of row: RowFacts, on board: Board) async -> String? {
    guard [.text, .markup].contains(row.kind),
      let text = try? await RowText.read(row, on: board)
    else { return nil }
    return ShownText.beginning(of: text.words, isCut: text.isCut)
  }

  private static func scrolled(_ text: String) -> Widget {
    let view = made(gtk_text_view_new())
    gtk_text_buffer_set_text(gtk_text_view_get_buffer(view.of()), text, -1)
    gtk_text_view_set_editable(view.of(), 0)
    gtk_text_view_set_cursor_visible(view.of(), 0)
    gtk_text_view_set_wrap_mode(view.of(), GTK_WRAP_WORD_CHAR)
    for set in [gtk_text_view_set_left_margin, gtk_text_view_set_right_margin] {
      set(view.of(), 18)
    }
    for set in [gtk_text_view_set_top_margin, gtk_text_view_set_bottom_margin] {
      set(view.of(), 12)
    }
    shelf_set_accessible_label(view, localized("Text of the row"))
    return Make.scroller(view)
  }
}
