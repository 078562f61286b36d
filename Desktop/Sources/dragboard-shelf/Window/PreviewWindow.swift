import CGtk4
import CShelf
import DragboardClient
import ShelfModel

/// A window with a large preview of a row: its text, its picture, or its icon and facts.
enum PreviewWindow {
  /// The maximum width and height of a picture in pixels.
  private static let extent = 1600

  /// Shows the preview of a row.
  ///
  /// Space, Escape and Return close the window.
  ///
  /// - Parameters:
  ///   - row: the row.
  ///   - page: the page of its board.
  ///   - window: the window below the preview.
  ///   - isWanted: returns false if the user has meanwhile asked for another preview.
  static func show(
    _ row: RowFacts, on page: BoardPage, over window: Widget, isWanted: () -> Bool
  ) async {
    let small = await RowPreview.read(row, on: page.board)
    let content = await content(of: row, small, on: page.board)
    guard isWanted() else {
      g_object_ref_sink(content.object)
      return g_object_unref(content.object)
    }
    let preview = made(adw_window_new())
    let title = small.title ?? row.title
    let words = String(title.prefix { !$0.isNewline })
    gtk_window_set_title(preview.of(), localized("Preview"))
    gtk_window_set_transient_for(preview.of(), window.of())
    gtk_window_set_modal(preview.of(), 1)
    gtk_window_set_default_size(preview.of(), 560, 480)
    let header = made(adw_header_bar_new())
    adw_header_bar_set_title_widget(
      header.opaque, adw_window_title_new(words, small.detail ?? row.detail(describe: \.readable)))
    if !row.isText {
      let isForBrowser = page.mayRunScripts(row.id)
      let open = Make.button(isForBrowser ? localized("Open in Browser") : localized("Open")) {
        page.open(row.id)
        gtk_window_close(preview.of())
      }
      adw_header_bar_pack_start(header.opaque, open)
    }
    content.expand()
    adw_window_set_content(
      preview.of(), Make.box(GTK_ORIENTATION_VERTICAL, header, content))
    addKeys(to: preview)
    gtk_window_present(preview.of())
    gtk_widget_child_focus(content, GTK_DIR_TAB_FORWARD)
  }

  private static func addKeys(to window: Widget) {
    let keys = made(gtk_event_controller_key_new())
    gtk_event_controller_set_propagation_phase(keys, GTK_PHASE_CAPTURE)
    answer(keys, "key-pressed") { arguments in
      let key = Int32(bitPattern: arguments.uint(1))
      guard [GDK_KEY_space, GDK_KEY_Escape].contains(key) else { return .handled(false) }
      gtk_window_close(window.of())
      return .handled(true)
    }
    gtk_widget_add_controller(window, keys)
  }

  private static func content(
    of row: RowFacts, _ small: RowPreview, on board: Board
  ) async -> Widget {
    if let picture = await picture(of: row, small, on: board) {
      let widget = made(gtk_picture_new_for_paintable(picture.pointer))
      gtk_picture_set_can_shrink(widget.opaque, 1)
      return widget
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
      adw_status_page_set_icon_name(page.opaque, row.kind.iconName)
    }
    return page
  }

  private static func picture(of row: RowFacts, _ small: RowPreview, on board: Board) async
    -> Owned?
  {
    guard small.picture != nil else { return nil }
    if row.kind == .image {
      guard let file = try? await board.file(of: row.id, as: "image/*") else { return nil }
      return await FilePreviewReader.read(file, extent: extent).texture()
    }
    guard let path = small.addresses.first.flatMap(Addresses.path(of:)) else { return nil }
    return await FilePreviewReader.read(path, extent: extent)?.texture()
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
