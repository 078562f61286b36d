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

gboolean shelf_takes_keys(GtkWidget *widget) {
  return GTK_IS_EDITABLE(widget) || GTK_IS_TEXT_VIEW(widget) ||
         gtk_widget_get_ancestor(widget, GTK_TYPE_POPOVER);
}
