/* A library that a GTK 4 application loads with LD_PRELOAD. It listens to the application's frame clocks, and prints a line
 * for each painted frame: the time of its beginning, and the duration of its updates, layout and painting, in microseconds. */
#include <gtk/gtk.h>
#include <stdio.h>

static gint64 beginning;
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

static gboolean did_end(GSignalInvocationHint *hint, guint count, const GValue *values,
                        gpointer data) {
  gint64 took = g_get_monotonic_time() - beginning;
  if (is_painted) printf("%" G_GINT64_FORMAT " %" G_GINT64_FORMAT "\n", beginning, took);
  return TRUE;
}

static void listen_to(const char *signal, GSignalEmissionHook hook) {
  g_signal_add_emission_hook(g_signal_lookup(signal, GDK_TYPE_FRAME_CLOCK), 0, hook, NULL, NULL);
}

__attribute__((constructor)) static void listen_to_all(void) {
  setvbuf(stdout, NULL, _IOLBF, 0);
  /* Use the class, because its signals exist only after its first use. */
  g_type_class_ref(GDK_TYPE_FRAME_CLOCK);
  listen_to("before-paint", did_begin);
  listen_to("paint", did_paint);
  listen_to("after-paint", did_end);
}
