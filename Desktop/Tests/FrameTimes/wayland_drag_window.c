/* A window that opens for the drags of other programs on Wayland, with which the shelf is compared. It takes their drops.
 *
 * wayland-drag-window shell: beside the pointer, when the extension of GNOME Shell reports a drag
 * wayland-drag-window strip: a strip of two pixels at the left edge, which widens under a drag; needs gtk4-layer-shell in LD_PRELOAD */
#include <dlfcn.h>
#include <gtk/gtk.h>

static const char title[] = "Shelf at the Pointer";
static gboolean is_strip;
static GtkWidget *window, *labels;

/* The sizes, and the calls of the extension, are those of the shelf. */
static void take_signal(GDBusConnection *bus, const char *sender, const char *path, const char *interface, const char *signal,
                        GVariant *values, gpointer data) {
  gboolean has_begun = g_str_equal(signal, "DragBegan");
  if (has_begun) {
    g_autoptr(GVariant) reply = g_dbus_connection_call_sync(bus, "org.gnome.Shell", path, interface, "Place",
                                                            g_variant_new("(s)", title), NULL, 0, 500, NULL, NULL);
  }
  gtk_widget_set_visible(window, has_begun);
}

static void widen(gboolean is_open) {
  gtk_widget_set_visible(labels, is_open);
  gtk_window_set_default_size(GTK_WINDOW(window), is_open ? 360 : 2, 560);
}

static GdkDragAction enter(GtkDropTargetAsync *target, GdkDrop *drop) {
  if (!gtk_widget_get_visible(labels)) widen(TRUE);
  return GDK_ACTION_COPY;
}

static void leave(GtkDropTargetAsync *target, GdkDrop *drop) { widen(FALSE); }

static gboolean take_drop(GtkDropTargetAsync *target, GdkDrop *drop) {
  gdk_drop_finish(drop, GDK_ACTION_COPY);
  if (is_strip) widen(FALSE);
  return TRUE;
}

/* Source: gtk4-layer-shell.h. */
static void make_strip(void) {
  void (*init)(GtkWindow *) = dlsym(RTLD_DEFAULT, "gtk_layer_init_for_window");
  void (*set_layer)(GtkWindow *, int) = dlsym(RTLD_DEFAULT, "gtk_layer_set_layer");
  void (*set_anchor)(GtkWindow *, int, gboolean) = dlsym(RTLD_DEFAULT, "gtk_layer_set_anchor");
  void (*set_zone)(GtkWindow *, int) = dlsym(RTLD_DEFAULT, "gtk_layer_set_exclusive_zone");
  if (!init || !set_layer || !set_anchor || !set_zone) g_error("gtk4-layer-shell is not loaded");
  init(GTK_WINDOW(window));
  set_layer(GTK_WINDOW(window), 3);
  set_zone(GTK_WINDOW(window), -1);
  set_anchor(GTK_WINDOW(window), 0, TRUE);
  widen(FALSE);
  gtk_widget_set_visible(window, TRUE);
}

int main(int count, char **words) {
  gtk_init();
  window = gtk_window_new();
  labels = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *all = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
  for (int row = 0; row < 8; row++) gtk_box_append(GTK_BOX(labels), gtk_label_new("A line of a window that is measured"));
  gtk_box_append(GTK_BOX(all), labels);
  gtk_window_set_child(GTK_WINDOW(window), all);
  gtk_window_set_title(GTK_WINDOW(window), title);
  gtk_window_set_decorated(GTK_WINDOW(window), FALSE);
  gtk_window_set_default_size(GTK_WINDOW(window), 320, 360);
  GtkDropTargetAsync *target = gtk_drop_target_async_new(NULL, GDK_ACTION_COPY);
  g_signal_connect(target, "drop", G_CALLBACK(take_drop), NULL);
  gtk_widget_add_controller(window, GTK_EVENT_CONTROLLER(target));
  is_strip = count > 1 && g_str_equal(words[1], "strip");
  if (is_strip) {
    g_signal_connect(target, "drag-enter", G_CALLBACK(enter), NULL);
    g_signal_connect(target, "drag-leave", G_CALLBACK(leave), NULL);
    make_strip();
  } else {
    GDBusConnection *bus = g_bus_get_sync(G_BUS_TYPE_SESSION, NULL, NULL);
    g_dbus_connection_signal_subscribe(bus, "org.gnome.Shell", "org.dragboard.Shell1", NULL, "/org/dragboard/Shell", NULL, 0,
                                       take_signal, NULL, NULL);
    g_bus_own_name_on_connection(bus, "org.dragboard.Shelf", 0, NULL, NULL, NULL, NULL);
    gtk_widget_realize(window);
  }
  while (TRUE) g_main_context_iteration(NULL, TRUE);
}
