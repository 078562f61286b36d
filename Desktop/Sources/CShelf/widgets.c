#include "CShelf.h"

/* The headers of these functions need gio-unix-2.0, so they are declared here. */
extern gpointer g_desktop_app_info_new(const char *desktop_id);
extern GOutputStream *g_unix_output_stream_new(int file, gboolean closes_file);

GOutputStream *shelf_output_stream(int file) { return g_unix_output_stream_new(file, TRUE); }

char *shelf_application_name(const char *desktop_file) {
  g_autoptr(GAppInfo) application = g_desktop_app_info_new(desktop_file);
  return application ? g_strdup(g_app_info_get_display_name(application)) : NULL;
}

void shelf_set_accessible_label(GtkWidget *widget, const char *label) {
  gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
}

void shelf_name_icon_buttons(GtkWidget *root, const char *name) {
  if (!root) return;
  for (GtkWidget *child = gtk_widget_get_first_child(root); child;
       child = gtk_widget_get_next_sibling(child)) {
    const char *tooltip = gtk_widget_get_tooltip_text(child);
    if (GTK_IS_BUTTON(child) && gtk_button_get_icon_name(GTK_BUTTON(child)))
      shelf_set_accessible_label(child, tooltip ? tooltip : name);
    shelf_name_icon_buttons(child, name);
  }
}

/* A tab has no function that removes its close button. Users would expect that the button keeps the
 * board, but a board without a tab could not be reached. */
static void hide_close_button(GtkWidget *tab) {
  for (GtkWidget *child = gtk_widget_get_first_child(tab); child;
       child = gtk_widget_get_next_sibling(child))
    if (GTK_IS_BUTTON(child) && gtk_widget_has_css_class(child, "tab-close-button"))
      gtk_widget_set_visible(child, FALSE);
}

static void describe_tab(GtkWidget *tab) {
  hide_close_button(tab);
  /* In libadwaita 1.2, the parent of the tab can have the focus. Since 1.3, the tab itself can. */
  GtkWidget *stop = gtk_widget_get_parent(tab);
  if (!gtk_widget_get_focusable(stop)) return;
  g_autoptr(GObject) page = NULL;
  g_object_get(tab, "page", &page, NULL);
  if (!page) return;
  g_autofree char *title = NULL;
  gboolean is_selected = FALSE;
  g_object_get(page, "title", &title, "selected", &is_selected, NULL);
  if (gtk_accessible_get_accessible_role(GTK_ACCESSIBLE(stop)) != GTK_ACCESSIBLE_ROLE_TAB)
    g_object_set(stop, "accessible-role", GTK_ACCESSIBLE_ROLE_TAB, NULL);
  shelf_set_accessible_label(stop, title);
  gtk_accessible_update_state(GTK_ACCESSIBLE(stop), GTK_ACCESSIBLE_STATE_SELECTED, is_selected,
                              -1);
}

void shelf_describe_tabs(GtkWidget *bar) {
  for (GtkWidget *child = gtk_widget_get_first_child(bar); child;
       child = gtk_widget_get_next_sibling(child)) {
    if (strcmp(G_OBJECT_TYPE_NAME(child), "AdwTab") == 0) describe_tab(child);
    shelf_describe_tabs(child);
  }
}

GtkWidget *shelf_tab_child(GtkWidget *bar, double x, double y) {
  GtkWidget *tab = gtk_widget_pick(bar, x, y, GTK_PICK_DEFAULT);
  while (tab && strcmp(G_OBJECT_TYPE_NAME(tab), "AdwTab") != 0) tab = gtk_widget_get_parent(tab);
  if (!tab) return NULL;
  g_autoptr(GObject) page = NULL;
  g_object_get(tab, "page", &page, NULL);
  g_autoptr(GtkWidget) child = NULL;
  if (page) g_object_get(page, "child", &child, NULL);
  return child;
}

void shelf_scroll_to(GtkWidget *list, guint position) {
  gtk_widget_activate_action(list, "list.scroll-to-item", "u", position);
}

void shelf_set_text(gpointer editable, const char *text) {
  gtk_editable_set_text(GTK_EDITABLE(editable), text);
}

void shelf_set_placeholder(GtkWidget *entry, const char *text) {
  g_object_set(entry, "placeholder-text", text, NULL);
}

const char *shelf_text(gpointer editable) { return gtk_editable_get_text(GTK_EDITABLE(editable)); }

gboolean shelf_takes_keys(GtkWidget *widget) {
  return GTK_IS_EDITABLE(widget) || GTK_IS_TEXT_VIEW(widget) ||
         gtk_widget_get_ancestor(widget, GTK_TYPE_POPOVER);
}

/* Returns a valid text without marks. The caller frees it. */
static char *without_marks(const char *text) {
  GString *letters = g_string_new(NULL);
  for (const char *rest = text; *rest; rest = g_utf8_next_char(rest)) {
    gunichar letter = g_utf8_get_char(rest);
    if (!g_unichar_ismark(letter)) g_string_append_unichar(letters, letter);
  }
  return g_string_free(letters, FALSE);
}

char *shelf_fold(const char *text) {
  /* GLib sorts the marks of a letter in quadratic time, so remove them before the normalization, too. */
  g_autofree char *letters = without_marks(text);
  g_autofree char *parts = g_utf8_normalize(letters, -1, G_NORMALIZE_ALL);
  if (!parts) return g_strdup(text);
  g_autofree char *rest = without_marks(parts);
  return g_utf8_casefold(rest, -1);
}

void shelf_forget_drop(GtkWidget *window) {
  g_autoptr(GListModel) controllers = gtk_widget_observe_controllers(window);
  for (guint index = 0; index < g_list_model_get_n_items(controllers); index++) {
    g_autoptr(GtkEventController) controller = g_list_model_get_item(controllers, index);
    if (!GTK_IS_DROP_TARGET_ASYNC(controller)) continue;
    gtk_widget_remove_controller(window, controller);
    gtk_widget_add_controller(window, GTK_EVENT_CONTROLLER(gtk_drop_target_async_new(NULL, 0)));
    return;
  }
}
