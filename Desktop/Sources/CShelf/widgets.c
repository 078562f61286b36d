#include "CShelf.h"

void shelf_set_accessible_label(GtkWidget *widget, const char *label) {
  gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
}

void shelf_scroll_to(GtkWidget *list, guint position) {
  gtk_widget_activate_action(list, "list.scroll-to-item", "u", position);
}

void shelf_set_text(gpointer editable, const char *text) {
  gtk_editable_set_text(GTK_EDITABLE(editable), text);
}

const char *shelf_text(gpointer editable) { return gtk_editable_get_text(GTK_EDITABLE(editable)); }

char *shelf_theme_name(GtkSettings *settings) {
  const char *forced = g_getenv("GTK_THEME");
  if (forced) return g_strdup(forced);
  char *name = NULL;
  g_object_get(settings, "gtk-theme-name", &name, NULL);
  return name ? name : g_strdup("");
}
