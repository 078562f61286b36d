import CGtk4

/// The message of a page without a list.
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
  }

  /// The icon and the text, in the middle of the page.
  let widget: Widget
  private let image = made(gtk_image_new())
  private let title = Make.label(classes: "status-title")
  private let text = Make.label(classes: "status-text")

  /// Creates an empty page.
  init() {
    widget = Make.box(GTK_ORIENTATION_VERTICAL, spacing: 10, image, title, text)
    gtk_widget_add_css_class(widget, "status")
    gtk_widget_set_valign(widget, GTK_ALIGN_CENTER)
    gtk_image_set_pixel_size(image.opaque, 72)
    widget.setMargins(vertical: 24, horizontal: 24)
    for label in [title, text] {
      gtk_widget_set_halign(label, GTK_ALIGN_CENTER)
      gtk_label_set_justify(label.opaque, GTK_JUSTIFY_CENTER)
      gtk_label_set_wrap(label.opaque, 1)
    }
  }

  /// Shows a message.
  func show(_ state: State) {
    gtk_image_set_from_icon_name(image.opaque, state.iconName)
    gtk_label_set_text(title.opaque, state.title)
    gtk_label_set_text(text.opaque, state.text)
  }
}

extension StatusView.State {
  fileprivate var iconName: String {
    switch self {
    case .loading: "content-loading-symbolic"
    case .empty: "folder-download-symbolic"
    case .notFound: "edit-find-symbolic"
    case .noDaemon: "network-offline-symbolic"
    }
  }

  fileprivate var title: String {
    switch self {
    case .loading: "Loading"
    case .empty: "Nothing Here Yet"
    case .notFound: "No Rows Found"
    case .noDaemon: "Dragboard Is Not Running"
    }
  }

  fileprivate var text: String {
    switch self {
    case .loading: ""
    case .empty: "Drag something here, or paste it with Ctrl+V."
    case .notFound: "No row has all of these words."
    case .noDaemon: "The shelf waits for dragboardd, and shows the board again when it is back."
    }
  }
}
