import CGtk4
import CShelf
import ShelfModel

/// A message in place of a board's list.
final class StatusView {
  /// The message.
  enum State {
    /// The board is loading.
    case loading
    /// The board has no rows.
    case empty
    /// A search has found nothing.
    case notFound
    /// The daemon is not reachable.
    case noDaemon
    /// There is no bus.
    case noBus
  }

  /// The AdwStatusPage.
  let widget = made(adw_status_page_new())
  private var state = State.loading
  private let button = made(gtk_button_new())

  /// Creates an empty page.
  ///
  /// - Parameters:
  ///   - retry: called when the button of an error is pressed.
  ///   - paste: called when the button of an empty board is pressed.
  init(retry: @escaping () -> Void, paste: @escaping () -> Void = {}) {
    for name in ["pill", "suggested-action"] { gtk_widget_add_css_class(button, name) }
    connect(button, "clicked") { [weak self] _ in
      if self?.state == .empty { paste() } else { retry() }
    }
    gtk_widget_set_halign(button, GTK_ALIGN_CENTER)
    gtk_widget_add_css_class(widget, "compact")
    adw_status_page_set_child(widget.opaque, button)
  }

  /// Shows a message.
  func show(_ state: State) {
    adw_status_page_set_icon_name(widget.opaque, state.iconName)
    adw_status_page_set_title(widget.opaque, state.title)
    adw_status_page_set_description(widget.opaque, state.text)
    // If the message has no button, the scrolled window inside can have the focus, so it needs a
    // name.
    if let scroller = gtk_widget_get_first_child(widget) {
      shelf_set_accessible_label(scroller, state.title)
    }
    self.state = state
    button.show(state.button != nil)
    if let label = state.button { gtk_button_set_label(button.of(), label) }
  }

  /// Gives the keyboard focus to the button, if any.
  func enter() {
    if state.button != nil { gtk_widget_grab_focus(button) }
  }
}

extension StatusView.State {
  fileprivate var iconName: String {
    switch self {
    case .loading: "content-loading-symbolic"
    case .empty: "\(ShelfApplication.id)-symbolic"
    case .notFound: "edit-find-symbolic"
    case .noDaemon, .noBus: "network-offline-symbolic"
    }
  }

  fileprivate var button: String? {
    switch self {
    case .loading, .notFound: nil
    case .empty: localized("Paste")
    case .noDaemon, .noBus: localized("Try Again")
    }
  }

  fileprivate var title: String {
    switch self {
    case .loading: localized("Loading")
    case .empty: localized("Nothing Here Yet")
    case .notFound: localized("No Rows Found")
    case .noDaemon: localized("Dragboard Is Not Running")
    case .noBus: localized("No Session Bus")
    }
  }

  fileprivate var text: String {
    switch self {
    case .loading: ""
    case .empty: localized("Drag texts, pictures, links or files here from any application.")
    case .notFound: localized("Try another search.")
    case .noDaemon:
      localized(
        "The shelf waits for the daemon, and shows the board again when the daemon is back.")
    case .noBus:
      localized("The shelf reads the boards over the session bus (D-Bus), which is not available.")
    }
  }
}
