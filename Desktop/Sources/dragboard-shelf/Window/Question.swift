import CGtk4
import ShelfModel
import CShelf

/// A dialog that asks for a name or for a confirmation.
struct Question {
  private let dialog: Widget

  /// Creates a dialog; Return gives the response `reply`: "answer" or "cancel".
  private init(
    over window: Widget, _ title: String, _ text: String?, _ button: String, byReturn reply: String
  ) {
    dialog = made(adw_message_dialog_new(window.of(), title, text))
    gtk_window_set_title(dialog.of(), title)
    for (name, label) in [("cancel", localized("Cancel")), ("answer", button)] {
      adw_message_dialog_add_response(dialog.of(), name, label.doublingUnderscores)
    }
    adw_message_dialog_set_default_response(dialog.of(), reply)
    adw_message_dialog_set_close_response(dialog.of(), "cancel")
  }

  /// Asks for a name.
  ///
  /// Escape closes the dialog without an answer.
  ///
  /// - Parameters:
  ///   - window: the window below the dialog.
  ///   - title: the heading.
  ///   - name: the initial text.
  ///   - maxLength: the maximum number of characters.
  ///   - button: the label of the button.
  ///   - answered: called with the name.
  static func askForName(
    over window: Widget, _ title: String, name: String = "", maxLength: Int32 = 64,
    button: String, answered: @escaping (String) -> Void
  ) {
    let question = Question(over: window, title, nil, button, byReturn: "answer")
    let (dialog, entry) = (question.dialog, made(gtk_entry_new()))
    let text = { shelf_text(entry.object).map { String(cString: $0) } ?? "" }
    shelf_set_text(entry.object, name)
    gtk_entry_set_max_length(entry.of(), maxLength)
    gtk_entry_set_activates_default(entry.of(), 1)
    shelf_set_accessible_label(entry, localized("Name"))
    adw_message_dialog_set_extra_child(dialog.of(), entry)
    adw_message_dialog_set_response_appearance(dialog.of(), "answer", ADW_RESPONSE_SUGGESTED)
    let check = {
      adw_message_dialog_set_response_enabled(dialog.of(), "answer", text().isEmpty ? 0 : 1)
    }
    connect(entry, "changed") { _ in check() }
    check()
    question.open { answered(text()) }
    gtk_widget_grab_focus(entry)
  }

  /// Asks for a confirmation before data is deleted.
  ///
  /// Return cancels, because the user may still be pressing it for an entry.
  static func confirm(
    over window: Widget, _ title: String, _ text: String, button: String,
    cancelled: @escaping () -> Void = {}, confirmed: @escaping () -> Void
  ) {
    let question = Question(over: window, title, text, button, byReturn: "cancel")
    adw_message_dialog_set_response_appearance(
      question.dialog.of(), "answer", ADW_RESPONSE_DESTRUCTIVE)
    question.open(confirmed, cancelled: cancelled)
  }

  /// Shows a text that is too long for a toast.
  static func inform(over window: Widget, _ title: String, _ text: String) {
    let dialog = made(adw_message_dialog_new(window.of(), title, text))
    gtk_window_set_title(dialog.of(), title)
    adw_message_dialog_add_response(dialog.of(), "close", localized("Close"))
    gtk_window_present(dialog.of())
  }

  private func open(_ answered: @escaping () -> Void, cancelled: @escaping () -> Void = {}) {
    connect(dialog, "response") { if $0.string(1) == "answer" { answered() } else { cancelled() } }
    gtk_window_present(dialog.of())
  }
}
