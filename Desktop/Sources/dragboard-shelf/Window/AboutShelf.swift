import CGtk4
import DragboardClient

/// The about dialog and the list of keys.
enum AboutShelf {
  /// Opens the dialog over a window.
  static func show(over window: Widget) {
    let dialog = made(gtk_about_dialog_new())
    gtk_about_dialog_set_program_name(dialog.opaque, "Shelf")
    gtk_about_dialog_set_version(dialog.opaque, DragboardConnection.version)
    gtk_about_dialog_set_comments(
      dialog.opaque, "Put things down while you drag them from one place to another")
    gtk_about_dialog_set_logo_icon_name(dialog.opaque, ShelfApplication.id)
    gtk_about_dialog_set_license_type(dialog.opaque, GTK_LICENSE_APACHE_2_0)
    gtk_about_dialog_set_copyright(dialog.opaque, "© The Dragboard developers")
    gtk_window_set_transient_for(dialog.of(), window.of())
    gtk_window_set_modal(dialog.of(), 1)
    gtk_window_present(dialog.of())
  }

  /// Makes Ctrl+? open the list of keys.
  static func addKey(to application: UnsafeMutablePointer<GtkApplication>) {
    let key = g_strdup("<Control>question")
    defer { g_free(key) }
    var keys = [key.map { UnsafePointer($0) }, nil]
    gtk_application_set_accels_for_action(application, "win.show-help-overlay", &keys)
  }

  /// Adds the list of keys to a window.
  static func addKeys(to window: Widget) {
    let builder = made(gtk_builder_new_from_string(description, -1))
    if let keys = gtk_builder_get_object(builder, "keys") {
      gtk_application_window_set_help_overlay(window.of(), keys.opaque)
    }
    g_object_unref(builder.object)
  }

  private static let groups: [(title: String, keys: [(keys: String, title: String)])] = [
    (
      "Rows",
      [
        ("Down Up", "Go to the next or the previous row"),
        ("<Alt>Down <Alt>Up", "Move the selected rows"), ("F2", "Edit the text"),
        ("Delete", "Delete"), ("<Shift>F10", "Open the menu"), ("<Control>a", "Select all"),
      ]
    ),
    (
      "Board",
      [
        ("<Control>c", "Copy"), ("<Control>v", "Paste below the selected row"),
        ("<Control>z", "Undo"), ("<Control><Shift>z", "Redo"), ("<Control>f", "Search"),
        ("<Control>Page_Down <Control>Page_Up", "Next or previous board"),
      ]
    ),
    (
      "Window",
      [
        ("F10", "Open the main menu"), ("Escape", "Leave the search, edit mode or the selection"),
        ("<Control>w", "Close"), ("<Control>question", "Keyboard shortcuts"),
      ]
    ),
  ]

  private static var description: String {
    func property(_ name: String, _ value: String) -> String {
      let text = value.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
      return "<property name='\(name)'>\(text)</property>"
    }
    func object(_ type: String, id: String? = nil, _ contents: String) -> String {
      "<object class='\(type)' \(id.map { "id='\($0)'" } ?? "")>\(contents)</object>"
    }
    let shown = groups.map { group in
      let keys = group.keys.map { keys, title in
        let contents = property("accelerator", keys) + property("title", title)
        return "<child>" + object("GtkShortcutsShortcut", contents) + "</child>"
      }
      let contents = property("title", group.title) + keys.joined()
      return "<child>" + object("GtkShortcutsGroup", contents) + "</child>"
    }
    let section = object(
      "GtkShortcutsSection",
      property("section-name", "all") + property("visible", "1")
        + shown.joined())
    let window = object(
      "GtkShortcutsWindow", id: "keys",
      property("modal", "1") + "<child>" + section + "</child>")
    return "<interface>\(window)</interface>"
  }
}
