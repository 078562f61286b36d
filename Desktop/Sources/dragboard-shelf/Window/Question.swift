import CGtk4
import CShelf

/// A popover with a question: for a name, or for a confirmation.
final class Question {
  private let popover = made(gtk_popover_new())
  private let entry: Widget?
  private let answered: (String) -> Void

  /// Asks for a name; Escape closes the popover without an answer.
  ///
  /// - Parameters:
  ///   - place: the position of the popover.
  ///   - owner: the widget of the position.
  ///   - title: the question.
  ///   - name: the initial text.
  ///   - button: the label of the button.
  ///   - answered: called with the name.
  @discardableResult
  init(
    at place: Place, in owner: Widget, _ title: String, name: String, button: String,
    answered: @escaping (String) -> Void
  ) {
    let entry = made(gtk_entry_new())
    shelf_set_text(entry.object, name)
    gtk_entry_set_max_length(entry.of(), 64)
    shelf_set_accessible_label(entry, title)
    self.entry = entry
    self.answered = answered
    connect(entry, "activate") { _ in self.answer() }
    open(
      at: place, in: owner, title, entry,
      Make.button(button, classes: "suggested-action") { self.answer() })
  }

  /// Asks for a confirmation of an operation that cannot be undone.
  @discardableResult
  init(
    at place: Place, in owner: Widget, _ text: String, button: String,
    answered: @escaping () -> Void
  ) {
    entry = nil
    self.answered = { _ in answered() }
    open(
      at: place, in: owner, text, nil,
      Make.button(button, classes: "destructive-action") { self.answer() })
  }

  private func open(
    at place: Place, in owner: Widget, _ title: String, _ entry: Widget?, _ button: Widget
  ) {
    let label = Make.label(title)
    gtk_label_set_wrap(label.opaque, 1)
    gtk_label_set_max_width_chars(label.opaque, 30)
    gtk_widget_set_halign(button, GTK_ALIGN_END)
    let box = Make.box(GTK_ORIENTATION_VERTICAL, spacing: 10, label)
    if let entry { gtk_box_append(box.of(), entry) }
    gtk_box_append(box.of(), button)
    box.setMargins(vertical: 6, horizontal: 6)
    gtk_popover_set_child(popover.of(), box)
    owner.own(popover: popover, pointingAt: place)
    gtk_popover_popup(popover.of())
    gtk_widget_grab_focus(entry ?? button)
  }

  private func answer() {
    let name = entry.flatMap { shelf_text($0.object) }.map { String(cString: $0) } ?? ""
    guard entry == nil || !name.isEmpty else { return }
    gtk_popover_popdown(popover.of())
    answered(name)
  }
}
