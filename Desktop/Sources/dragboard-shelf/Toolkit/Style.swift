import CGtk4
import CShelf

/// The style of the shelf, in the colours of the desktop's theme.
enum Style {
  /// Applies the style to every window on the display, and again when the theme changes.
  static func apply() {
    guard let display = gdk_display_get_default(),
      let settings = gtk_settings_get_for_display(display)
    else { return }
    let provider = Owned(adopting: made(gtk_css_provider_new()).opaque)
    gtk_style_context_add_provider_for_display(
      display, provider.pointer, guint(GTK_STYLE_PROVIDER_PRIORITY_APPLICATION))
    load(into: provider, settings)
    connect(settings, "notify::gtk-theme-name") { _ in load(into: provider, settings) }
  }

  private static func load(into provider: Owned, _ settings: OpaquePointer) {
    let theme = made(shelf_theme_name(settings))
    defer { g_free(theme) }
    // GTK does not report high contrast; its own themes of high contrast have these names.
    let name = String(cString: theme).lowercased()
    let isHighContrast = name.contains("highcontrast") || name.contains("-hc")
    gtk_css_provider_load_from_data(
      provider.pointer.of(), isHighContrast ? text + highContrast : text, -1)
  }

  private static let text = """
    .board { background: transparent; padding: 6px 8px 12px 8px; }
    .board > row { border-radius: 9px; padding: 0; margin: 1px 0; outline-offset: -2px; }
    .board > row:hover { background: alpha(currentColor, 0.05); }
    .board > row:selected { background: alpha(@theme_selected_bg_color, 0.3); color: inherit; }
    .board > row:selected:focus-visible { outline: 2px solid @theme_selected_bg_color; }
    .board > row.section, .board > row.section:hover { background: none; outline: none; }
    .row { padding: 9px 10px; min-height: 34px; }
    .row .title { line-height: 1.25; }
    .row .detail { font-size: 0.85em; opacity: 0.6; }
    .row .mark { opacity: 0.45; }
    .row .thumbnail { border-radius: 6px; }
    .section-name { font-weight: bold; font-size: 0.92em; opacity: 0.65; padding: 16px 10px 5px 10px; }
    .insertion-line { background: @theme_selected_bg_color; border-radius: 2px; min-height: 3px; }
    .card-under-way { background: @theme_base_color; border: 1px solid @borders; }
    .card-under-way.rounded { border-radius: 9px; }
    /* GTK's own frame stays behind after some drops. */
    .shelf :drop(active):not(.receiving) { box-shadow: none; }
    .receiving { box-shadow: inset 0 0 0 2px alpha(@theme_selected_bg_color, 0.6); }
    .waiting { padding: 8px 12px 12px 12px; border-top: 1px solid @borders; background: @theme_bg_color; }
    .waiting .caption { font-size: 0.85em; opacity: 0.65; padding: 0 2px 6px 2px; }
    .chip { background: @theme_base_color; border: 1px solid @borders; border-radius: 9px; padding: 5px; }
    .chip > image { margin: 0 5px; }
    .chip:hover { background: mix(@theme_base_color, @theme_selected_bg_color, 0.12); }
    .chip .detail { font-size: 0.85em; opacity: 0.65; }
    .toast { background: alpha(black, 0.82); color: white; border-radius: 99px; padding: 8px 18px; }
    .status image { opacity: 0.35; }
    .status .status-title { font-size: 1.5em; font-weight: 800; }
    .status .status-text { opacity: 0.65; }
    .shelf headerbar { background: @theme_bg_color; box-shadow: none; border-bottom-color: transparent; }
    .shelf headerbar button { box-shadow: none; }
    .shelf notebook > header { padding: 0 6px; background: @theme_bg_color; }
    .shelf notebook, .shelf notebook > stack { background: @theme_base_color; }
    .edge .strip { background: @theme_bg_color; min-width: 10px; }
    .edge .strip, .edge .drawer { box-shadow: inset 0 0 0 1px @borders; }
    .edge .grip { background: alpha(currentColor, 0.4); border-radius: 2px; min-width: 4px; min-height: 40px; }
    .edge.rounded.left, .edge.rounded.left .strip { border-radius: 0 9px 9px 0; }
    .edge.rounded.right, .edge.rounded.right .strip { border-radius: 9px 0 0 9px; }
    .edge .drawer { padding: 1px; }
    textview.editor { padding: 8px; border-radius: 6px; }
    """

  /// Rules for high contrast: dim text becomes opaque, and selected or hovered rows get a border.
  private static let highContrast = """
    .row .detail, .row .mark, .section-name, .waiting .caption, .chip .detail { opacity: 1; }
    .status image, .status .status-text { opacity: 1; }
    .board > row:hover { outline: 1px solid currentColor; }
    .board > row:selected { outline: 2px solid @theme_selected_bg_color; }
    .edge .grip { background: currentColor; }
    """
}
