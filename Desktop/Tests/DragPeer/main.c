/* An application of the tests. The upper half of its window is a drag source. The lower half is a drop target, which prints
 * the dropped content.
 *
 * drag-peer copy|move 'TYPE|TEXT'...: the action that it requests for drops, and the types that it drags with their
 * content; `@PATH` as TEXT is the content of a file. Dropped text is printed with escapes, other content in Base64.
 * DRAG_PEER_PAUSE=MS: for eight seconds after a drop, the program pauses MS milliseconds between two events. */
#include <gtk/gtk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static GdkDragAction wanted = GDK_ACTION_COPY;

static GBytes *bytes_of(const char *text) {
  char *contents;
  gsize length;
  if (text[0] == '@' && g_file_get_contents(text + 1, &contents, &length, NULL))
    return g_bytes_new_take(contents, length);
  return g_bytes_new(text, strlen(text));
}

static GdkContentProvider *content(char **arguments) {
  g_autoptr(GPtrArray) parts = g_ptr_array_new();
  for (; *arguments; arguments++) {
    g_auto(GStrv) words = g_strsplit(*arguments, "|", 2);
    g_autoptr(GBytes) bytes = bytes_of(words[1]);
    g_ptr_array_add(parts, gdk_content_provider_new_for_bytes(words[0], bytes));
  }
  return gdk_content_provider_new_union((GdkContentProvider **)parts->pdata, parts->len);
}

/* GTK also emits "drag-end" for a cancelled drag. */
static gboolean is_cancelled;

static void did_begin(GtkDragSource *source, GdkDrag *drag) { is_cancelled = FALSE; }

static void did_end(GtkDragSource *source, GdkDrag *drag, gboolean moved) {
  if (!is_cancelled) printf("ended %s\n", moved ? "move" : "copy");
}

static gboolean was_cancelled(GtkDragSource *source, GdkDrag *drag) {
  is_cancelled = TRUE;
  printf("cancelled\n");
  return FALSE;
}

/* A drop whose types are read one after another. */
typedef struct {
  GdkDrop *drop;
  const char *const *types;
} Reading;

static void read_next(Reading *reading);

/* All bytes above ASCII, which g_strescape must not escape. */
static char beyond_ascii[129];

static char *printable(const char *type, GBytes *bytes) {
  gsize length;
  const guchar *data = g_bytes_get_data(bytes, &length);
  if (!g_str_has_prefix(type, "text/")) return g_base64_encode(data, length);
  g_autofree char *text = g_strndup((const char *)data, length);
  return g_strescape(text, beyond_ascii);
}

static void did_copy(GObject *memory, GAsyncResult *result, gpointer data) {
  Reading *reading = data;
  g_output_stream_splice_finish(G_OUTPUT_STREAM(memory), result, NULL);
  g_autoptr(GBytes) bytes = g_memory_output_stream_steal_as_bytes(G_MEMORY_OUTPUT_STREAM(memory));
  g_autofree char *shown = printable(*reading->types, bytes);
  printf("got %s %s\n", *reading->types, shown);
  reading->types++;
  read_next(reading);
}

static void did_read(GObject *drop, GAsyncResult *result, gpointer data) {
  g_autoptr(GInputStream) stream = gdk_drop_read_finish(GDK_DROP(drop), result, NULL, NULL);
  g_autoptr(GOutputStream) memory = g_memory_output_stream_new_resizable();
  if (stream)
    g_output_stream_splice_async(memory, stream, G_OUTPUT_STREAM_SPLICE_CLOSE_TARGET,
                                 G_PRIORITY_DEFAULT, NULL, did_copy, data);
}

static void read_next(Reading *reading) {
  /* Skip the names without a slash: GTK 4 also lists the classes into which it can convert the data. */
  while (*reading->types && !strchr(*reading->types, '/')) reading->types++;
  if (*reading->types) {
    const char *types[] = {*reading->types, NULL};
    gdk_drop_read_async(reading->drop, types, G_PRIORITY_DEFAULT, NULL, did_read, reading);
    return;
  }
  gdk_drop_finish(reading->drop, wanted);
  printf("dropped\n");
  g_object_unref(reading->drop);
  g_free(reading);
}

static GdkDragAction action(GtkDropTargetAsync *target, GdkDrop *drop) { return wanted; }

static gboolean pause_for(gpointer time) {
  static guint rest = 8000;
  g_usleep(GPOINTER_TO_UINT(time) * 1000);
  rest -= MIN(rest, GPOINTER_TO_UINT(time));
  return rest > 0;
}

static gboolean did_drop(GtkDropTargetAsync *target, GdkDrop *drop) {
  const char *pause = g_getenv("DRAG_PEER_PAUSE");
  if (pause) g_timeout_add(1, pause_for, GUINT_TO_POINTER(atoi(pause)));
  Reading *reading = g_new0(Reading, 1);
  reading->drop = g_object_ref(drop);
  reading->types = gdk_content_formats_get_mime_types(gdk_drop_get_formats(drop), NULL);
  read_next(reading);
  return TRUE;
}

static GtkWidget *half(const char *text, GtkEventController *controller) {
  GtkWidget *label = gtk_label_new(text);
  gtk_widget_set_vexpand(label, TRUE);
  gtk_widget_set_hexpand(label, TRUE);
  gtk_widget_add_controller(label, controller);
  return label;
}

int main(int count, char **arguments) {
  for (int byte = 0; byte < 128; byte++) beyond_ascii[byte] = (char)(128 + byte);
  setvbuf(stdout, NULL, _IOLBF, 0);
  if (count < 3) return 2;
  if (!strcmp(arguments[1], "move")) wanted = GDK_ACTION_MOVE;
  gtk_init();
  GtkDragSource *source = gtk_drag_source_new();
  gtk_drag_source_set_content(source, content(arguments + 2));
  gtk_drag_source_set_actions(source, GDK_ACTION_COPY | GDK_ACTION_MOVE);
  g_signal_connect(source, "drag-begin", G_CALLBACK(did_begin), NULL);
  g_signal_connect(source, "drag-end", G_CALLBACK(did_end), NULL);
  g_signal_connect(source, "drag-cancel", G_CALLBACK(was_cancelled), NULL);
  GtkDropTargetAsync *target =
    gtk_drop_target_async_new(NULL, GDK_ACTION_COPY | GDK_ACTION_MOVE);
  g_signal_connect(target, "drag-enter", G_CALLBACK(action), NULL);
  g_signal_connect(target, "drag-motion", G_CALLBACK(action), NULL);
  g_signal_connect(target, "drop", G_CALLBACK(did_drop), NULL);
  GtkWidget *window = gtk_window_new();
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
  gtk_box_append(GTK_BOX(box), half("source", GTK_EVENT_CONTROLLER(source)));
  gtk_box_append(GTK_BOX(box), half("target", GTK_EVENT_CONTROLLER(target)));
  gtk_window_set_child(GTK_WINDOW(window), box);
  gtk_window_set_title(GTK_WINDOW(window), "Peer");
  gtk_window_set_decorated(GTK_WINDOW(window), FALSE);
  gtk_window_set_default_size(GTK_WINDOW(window), 300, 400);
  gtk_window_present(GTK_WINDOW(window));
  while (g_list_model_get_n_items(gtk_window_get_toplevels()) > 0)
    g_main_context_iteration(NULL, TRUE);
  return 0;
}
