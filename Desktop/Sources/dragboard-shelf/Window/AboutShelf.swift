import CGtk4
import ShelfModel
import DragboardClient

/// The about dialog and the list of keys.
enum AboutShelf {
  /// Opens the dialog over a window.
  static func show(over window: Widget) {
    let dialog = made(adw_about_window_new())
    adw_about_window_set_application_name(dialog.opaque, localized("Shelf"))
    adw_about_window_set_version(dialog.opaque, DragboardConnection.version)
    adw_about_window_set_comments(
      dialog.opaque, localized("Put things down while you drag them from one place to another"))
    adw_about_window_set_application_icon(dialog.opaque, ShelfApplication.id)
    adw_about_window_set_license_type(dialog.opaque, GTK_LICENSE_APACHE_2_0)
    adw_about_window_set_copyright(dialog.opaque, localized("© The Dragboard developers"))
    adw_about_window_set_developer_name(dialog.opaque, localized("The Dragboard developers"))
    gtk_window_set_transient_for(dialog.of(), window.of())
    gtk_window_set_modal(dialog.of(), 1)
    gtk_window_present(dialog.of())
  }

  /// Adds the list of keys to a window.
  static func addKeys(to window: Widget) {
    gtk_application_window_set_help_overlay(window.of(), keys().opaque)
  }

  /// Shows the list of keys over a window.
  static func showKeys(over window: Widget) {
    let keys = keys()
    gtk_window_set_transient_for(keys.of(), window.of())
    gtk_window_present(keys.of())
  }

  private static func keys() -> Widget {
    let keys = Interface(PackageResources.keys_ui)["keys"]
    gtk_window_set_title(keys.of(), localized("Keyboard Shortcuts"))
    return keys
  }
}
