import CGtk4
import CShelf
import ShelfModel

/// A message in place of a board's list.
final class StatusView {
  /// The message.
  enum State: Equatable {
    /// The board is loading.
    case loading
    /// The board has no rows.
    case empty(EmptyBoard)
    /// A search has found nothing.
    case notFound
    /// The daemon is not reachable, for a reason if it is known.
    case noDaemon(String?)
    /// There is no bus.
    case noBus
  }

  /// The AdwStatusPage.
  let widget = made(adw_status_page_new())
  private var state = State.loading
  private let button = made(gtk_button_new())
  private let paste: (() -> Void)?
  /// Turns on the opening at drags of other programs.
  private let opening = Make.button(localized("Open When a Drag Begins"), classes: "pill") {}

  /// Creates an empty page.
  ///
  /// - Parameters:
  ///   - retry: called when the button of an error is pressed.
  ///   - paste: called when the button of an empty board is pressed; nil for no button.
  init(retry: @escaping () -> Void, paste: (() -> Void)? = nil) {
    self.paste = paste
    for name in ["pill", "suggested-action"] { gtk_widget_add_css_class(button, name) }
    connect(button, "clicked") { [weak self, widget] _ in
      switch self?.state {
      case .empty(.clipboard): gtk_widget_activate_action_variant(widget, "app.settings", nil)
      case .empty: paste?()
      // The page of an error may have been released, but not its widget.
      default: retry()
      }
    }
    connect(opening, "clicked") { [widget, opening] _ in
      gtk_widget_activate_action_variant(widget, "app.open-for-drags", nil)
      opening.show(false)
    }
    let buttons = Make.box(GTK_ORIENTATION_VERTICAL, spacing: 12, button, opening)
    gtk_widget_set_halign(buttons, GTK_ALIGN_CENTER)
    gtk_widget_add_css_class(widget, "compact")
    adw_status_page_set_child(widget.opaque, buttons)
  }

  /// Shows a message.
  func show(_ state: State) {
    adw_status_page_set_icon_name(widget.opaque, state.iconName)
    adw_status_page_set_title(widget.opaque, state.title)
    // The description is markup.
    adw_status_page_set_description(widget.opaque, state.text.escapingMarkup)
    // If the message has no button, the scrolled window inside can have the focus, so it needs a
    // name.
    if let scroller = gtk_widget_get_first_child(widget) {
      shelf_set_accessible_label(scroller, state.title)
    }
    self.state = state
    button.show(hasButton)
    opening.show(
      state == .empty(.ordinary) && paste != nil && DragOpener.isPossible
        && !ShelfSettings.opensForDrags)
    if let label = state.button { gtk_button_set_label(button.of(), label) }
  }

  /// Gives the keyboard focus to the button, if any.
  func enter() {
    if hasButton { gtk_widget_grab_focus(button) }
  }

  private var hasButton: Bool {
    switch state {
    case .empty(.clipboard): state.button != nil
    case .empty: paste != nil
    default: state.button != nil
    }
  }
}

extension StatusView.State {
  fileprivate var iconName: String {
    switch self {
    case .loading: "content-loading-symbolic"
    case .empty(.clipboard): "edit-paste-symbolic"
    case .empty(.shared): "network-workgroup-symbolic"
    case .empty: "\(ShelfApplication.id)-symbolic"
    case .notFound: "edit-find-symbolic"
    case .noDaemon, .noBus: "network-offline-symbolic"
    }
  }

  fileprivate var button: String? {
    switch self {
    case .loading, .notFound, .empty(.clipboard(isRecording: true)): nil
    case .empty(.clipboard): localized("Preferences")
    case .empty: localized("Paste")
    case .noDaemon, .noBus: localized("Try Again")
    }
  }

  fileprivate var title: String {
    switch self {
    case .loading: localized("Loading")
    case .empty(.clipboard(isRecording: true)): localized("Nothing Copied Yet")
    case .empty(.clipboard): localized("Copies Are Not Stored")
    case .empty: localized("Nothing Here Yet")
    case .notFound: localized("No Rows Found")
    case .noDaemon: localized("Dragboard Is Not Running")
    case .noBus: localized("No Session Bus")
    }
  }

  fileprivate var text: String {
    switch self {
    case .loading: ""
    case .empty(.ordinary):
      localized("Drag texts, pictures, links or files here from any application.")
    case .empty(.accepting(let names)):
      localized("Drag content here from any application. This board accepts: %1.", names)
    case .empty(.clipboard(isRecording: true)):
      localized("Everything that you copy in an application appears here.")
    case .empty(.clipboard):
      localized("To collect everything that you copy, turn on “Store Copied Content”.")
    case .empty(.shared):
      localized("Rows that you drop here appear on your other machines, and theirs appear here.")
    case .notFound: localized("No row of this board contains these words.")
    case .noDaemon(nil): localized("The shelf is starting it again.")
    case .noDaemon(let reason?): reason
    case .noBus:
      localized("The session bus (D-Bus), over which the shelf reads the boards, is not available.")
    }
  }
}
