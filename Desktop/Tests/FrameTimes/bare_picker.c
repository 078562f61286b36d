/* A program with a hidden window of GTK that looks like the picker, and has nothing else: a search field and 50 labels. The
 * action "show" of org.dragboard.BarePicker shows it, and Escape hides it. A lower bound for the picker. */
#include <adwaita.h>

static GtkWidget *window, *entry;

static gboolean did_press(GtkEventControllerKey *keys, guint key, guint code, GdkModifierType state, gpointer data) {
  if (key != GDK_KEY_Escape) return FALSE;
  gtk_widget_set_visible(window, FALSE);
  return TRUE;
}

static void build(GtkApplication *application) {
  window = adw_application_window_new(application);
  gtk_window_set_title(GTK_WINDOW(window), "Bare");
  gtk_window_set_resizable(GTK_WINDOW(window), FALSE);
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0), *labels = gtk_box_new(GTK_ORIENTATION_VERTICAL, 8);
  entry = gtk_search_entry_new();
  for (int i = 0; i < 50; i++) {
    char text[64];
    snprintf(text, sizeof text, "Row %d of a board that is measured, of a usual length", i);
    gtk_box_append(GTK_BOX(labels), gtk_label_new(text));
  }
  GtkWidget *scroller = gtk_scrolled_window_new();
  gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scroller), labels);
  gtk_widget_set_vexpand(scroller, TRUE);
  gtk_widget_set_size_request(box, 520, 560);
  gtk_box_append(GTK_BOX(box), entry);
  gtk_box_append(GTK_BOX(box), scroller);
  adw_application_window_set_content(ADW_APPLICATION_WINDOW(window), box);
  GtkEventController *keys = gtk_event_controller_key_new();
  gtk_event_controller_set_propagation_phase(keys, GTK_PHASE_CAPTURE);
  g_signal_connect(keys, "key-pressed", G_CALLBACK(did_press), NULL);
  gtk_widget_add_controller(window, keys);
}

static void show(GSimpleAction *action, GVariant *parameter, gpointer application) {
  if (!window) build(application);
  gtk_editable_set_text(GTK_EDITABLE(entry), "");
  gtk_window_present(GTK_WINDOW(window));
}

static void activate(GtkApplication *application) { g_application_hold(G_APPLICATION(application)); }

int main(int count, char **words) {
  AdwApplication *application = adw_application_new("org.dragboard.BarePicker", G_APPLICATION_DEFAULT_FLAGS);
  const GActionEntry entries[] = {{"show", show}};
  g_action_map_add_action_entries(G_ACTION_MAP(application), entries, 1, application);
  g_signal_connect(application, "activate", G_CALLBACK(activate), NULL);
  return g_application_run(G_APPLICATION(application), count, words);
}
