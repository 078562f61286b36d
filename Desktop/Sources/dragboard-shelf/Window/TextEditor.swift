import CGtk4
import ShelfModel
import CShelf

/// An editor for a row's text, in a popover.
final class TextEditor {
  private let popover = made(gtk_popover_new())
  private let text = made(gtk_text_view_new())
  private let save: (String) -> Void

  /// Opens an editor.
  ///
  /// If `losesFormat` is true, the editor says that saving removes the formatting. `save` is called
  /// with the text when the editor closes, except after Escape.
  @discardableResult
  init(
    at row: Widget, in owner: Widget, _ contents: String, losesFormat: Bool,
    save: @escaping (String) -> Void, didClose: @escaping () -> Void
  ) {
    self.save = save
    gtk_text_buffer_set_text(gtk_text_view_get_buffer(text.of()), contents, -1)
    gtk_text_view_set_wrap_mode(text.of(), GTK_WRAP_WORD_CHAR)
    gtk_widget_add_css_class(text, "editor")
    shelf_set_accessible_label(text, localized("Text of the row"))
    let scroller = Make.scroller(text)
    gtk_widget_set_size_request(scroller, 300, 90)
    let note = Make.label(
      localized("Saving removes the formatting of this text."), classes: "caption")
    gtk_label_set_wrap(note.opaque, 1)
    note.show(losesFormat)
    let button = Make.button(
      losesFormat ? localized("Save Plain Text") : localized("Save"), classes: "suggested-action"
    ) { self.finish() }
    gtk_widget_set_halign(button, GTK_ALIGN_END)
    gtk_popover_set_child(
      popover.of(), Make.box(GTK_ORIENTATION_VERTICAL, spacing: 8, scroller, note, button))
    owner.own(popover: popover, pointingAt: owner.place(row.foot, of: row), didClose: didClose)
    listen()
    gtk_popover_popup(popover.of())
    gtk_widget_grab_focus(text)
  }

  /// Saves on Enter; Shift+Enter inserts a line feed.
  private func listen() {
    let keys = made(gtk_event_controller_key_new())
    gtk_event_controller_set_propagation_phase(keys, GTK_PHASE_CAPTURE)
    answer(keys, "key-pressed") { arguments in
      let isEnter = [GDK_KEY_Return, GDK_KEY_KP_Enter].contains(Int32(arguments.uint(1)))
      let isShift = GdkModifierType(rawValue: arguments.flags(3)).contains(GDK_SHIFT_MASK)
      guard isEnter, !isShift else { return .handled(false) }
      self.finish()
      return .handled(true)
    }
    gtk_widget_add_controller(text, keys)
  }

  private func finish() {
    var (start, end) = (GtkTextIter(), GtkTextIter())
    let buffer = gtk_text_view_get_buffer(text.of())
    gtk_text_buffer_get_bounds(buffer, &start, &end)
    if let contents = gtk_text_buffer_get_text(buffer, &start, &end, 1) {
      save(String(cString: contents))
      g_free(contents)
    }
    gtk_popover_popdown(popover.of())
  }
}
