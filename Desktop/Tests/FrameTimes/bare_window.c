/* A libadwaita window with eight labels, with which the shelf is compared. */
#include <adwaita.h>

static void activate(GtkApplication *application) {
  GtkWidget *window = adw_application_window_new(application);
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
  gtk_box_append(GTK_BOX(box), adw_header_bar_new());
  for (int row = 0; row < 8; row++)
    gtk_box_append(GTK_BOX(box), gtk_label_new("A line of a window that is measured"));
  adw_application_window_set_content(ADW_APPLICATION_WINDOW(window), box);
  gtk_window_set_default_size(GTK_WINDOW(window), 400, 560);
  gtk_window_present(GTK_WINDOW(window));
}

int main(int count, char **words) {
  g_autoptr(AdwApplication) application = adw_application_new("org.dragboard.BareWindow", 0);
  g_signal_connect(application, "activate", G_CALLBACK(activate), NULL);
  return g_application_run(G_APPLICATION(application), count, words);
}
