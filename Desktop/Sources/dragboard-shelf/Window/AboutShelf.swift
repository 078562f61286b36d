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
    let builder = made(
      gtk_builder_new_from_string(
        String(decoding: PackageResources.keys_ui, as: UTF8.self), -1))
    if let keys = gtk_builder_get_object(builder, "keys") {
      gtk_application_window_set_help_overlay(window.of(), keys.opaque)
    }
    g_object_unref(builder.object)
  }
}
