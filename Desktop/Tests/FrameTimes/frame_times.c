/* A library that a GTK 4 application loads with LD_PRELOAD. It listens to the application's frame clocks, and prints a line
 * for each painted frame: the time of its beginning, and the duration of its updates, layout and painting, in microseconds.
 * FRAME_MIN_WIDTH=PIXELS: it prints no line while all windows are narrower. */
#include <gtk/gtk.h>
#include <stdio.h>
#include <stdlib.h>

static gint64 beginning;
static int min_width;
static gboolean is_painted;

static gboolean did_begin(GSignalInvocationHint *hint, guint count, const GValue *values,
                          gpointer data) {
  beginning = g_get_monotonic_time();
  is_painted = FALSE;
  return TRUE;
}

static gboolean did_paint(GSignalInvocationHint *hint, guint count, const GValue *values,
                          gpointer data) {
  is_painted = TRUE;
  return TRUE;
}

static gboolean is_wide(void) {
  GListModel *windows = gtk_window_get_toplevels();
  int width = 0;
  for (guint index = 0; index < g_list_model_get_n_items(windows); index++) {
    g_autoptr(GtkWidget) window = g_list_model_get_item(windows, index);
    if (gtk_widget_get_mapped(window)) width = MAX(width, gtk_widget_get_width(window));
  }
  return width >= min_width;
}

static gboolean did_end(GSignalInvocationHint *hint, guint count, const GValue *values,
                        gpointer data) {
  gint64 took = g_get_monotonic_time() - beginning;
  if (is_painted && is_wide()) printf("%" G_GINT64_FORMAT " %" G_GINT64_FORMAT "\n", beginning, took);
  return TRUE;
}

static void listen_to(const char *signal, GSignalEmissionHook hook) {
  g_signal_add_emission_hook(g_signal_lookup(signal, GDK_TYPE_FRAME_CLOCK), 0, hook, NULL, NULL);
}

__attribute__((constructor)) static void listen_to_all(void) {
  setvbuf(stdout, NULL, _IOLBF, 0);
  const char *width = getenv("FRAME_MIN_WIDTH");
  if (width) min_width = atoi(width);
  /* Use the class, because its signals exist only after its first use. */
  g_type_class_ref(GDK_TYPE_FRAME_CLOCK);
  listen_to("before-paint", did_begin);
  listen_to("paint", did_paint);
  listen_to("after-paint", did_end);
}
