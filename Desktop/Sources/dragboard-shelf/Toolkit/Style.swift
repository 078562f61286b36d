import CGtk4

/// The style of the shelf, in the colours of the desktop: light or dark, with the usual or a high
/// contrast.
enum Style {
  /// Applies the style to every window on the display, and again when the contrast changes.
  static func apply() {
    guard let display = gdk_display_get_default(), let manager = adw_style_manager_get_default()
    else { return }
    let provider = Owned(adopting: made(gtk_css_provider_new()).opaque)
    gtk_style_context_add_provider_for_display(
      display, provider.pointer, guint(GTK_STYLE_PROVIDER_PRIORITY_APPLICATION))
    load(into: provider, manager)
    connect(manager, "notify::high-contrast") { _ in load(into: provider, manager) }
  }

  private static func load(into provider: Owned, _ manager: OpaquePointer) {
    let isHighContrast = adw_style_manager_get_high_contrast(manager) != 0
    let text =
      PackageResources.style_css + (isHighContrast ? PackageResources.high_contrast_css : [])
    gtk_css_provider_load_from_data(
      provider.pointer.of(), String(decoding: text, as: UTF8.self), -1)
  }
}
