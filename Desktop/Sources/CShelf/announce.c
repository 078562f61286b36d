#include "CShelf.h"
#include <dlfcn.h>

/* Source: gtkaccessible.h of GTK 4.14. */
enum { PRIORITY_MEDIUM = 1 };

GtkWidget *shelf_message_new(void) {
  return g_object_new(GTK_TYPE_LABEL, "accessible-role", GTK_ACCESSIBLE_ROLE_ALERT, "wrap", TRUE,
                      "wrap-mode", PANGO_WRAP_WORD_CHAR, "xalign", 0.0f, NULL);
}

gboolean shelf_can_announce(void) { return dlsym(RTLD_DEFAULT, "gtk_accessible_announce") != NULL; }

void shelf_announce(GtkWidget *widget, const char *text) {
  void (*announce)(GtkAccessible *, const char *, int) =
    dlsym(RTLD_DEFAULT, "gtk_accessible_announce");
  /* GTK drops announcements of a widget that no screen reader has read yet. The window is always known. */
  GtkRoot *window = gtk_widget_get_root(widget);
  if (announce && window) announce(GTK_ACCESSIBLE(window), text, PRIORITY_MEDIUM);
}
