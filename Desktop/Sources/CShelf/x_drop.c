#include "CShelf.h"
#include <gdk/x11/gdkx.h>

/* A pending request to the window system, and the bytes received so far. */
typedef struct {
  GdkDisplay *display;
  Window window;
  Atom property;
  GByteArray *bytes;
  gboolean is_in_parts;
  gulong events;
  guint timeout;
} Reading;

static const guint timeout_in_seconds = 20;

static Display *server(Reading *self) { return gdk_x11_display_get_xdisplay(self->display); }

static void reading_free(gpointer data) {
  Reading *self = data;
  g_signal_handler_disconnect(self->display, self->events);
  g_source_remove(self->timeout);
  g_byte_array_unref(self->bytes);
  g_object_unref(self->display);
  g_free(self);
}

static void finish(GTask *task, const char *error) {
  Reading *self = g_task_get_task_data(task);
  if (error)
    g_task_return_new_error(task, G_IO_ERROR, G_IO_ERROR_FAILED, "%s", error);
  else
    g_task_return_pointer(task, g_byte_array_free_to_bytes(g_byte_array_ref(self->bytes)),
                          (GDestroyNotify)g_bytes_unref);
  g_object_unref(task);
}

/* Reads and deletes the property, which requests the next part; returns the number of bytes. */
static gsize take(Reading *self, Atom *type) {
  const long everything = G_MAXINT32 / 4;
  int format;
  unsigned long count, rest;
  unsigned char *data = NULL;
  if (XGetWindowProperty(server(self), self->window, self->property, 0, everything, True,
                         AnyPropertyType, type, &format, &count, &rest, &data) != Success)
    return 0;
  /* Xlib returns 32-bit numbers as longs, but content consists of bytes. */
  gsize length = format == 8 ? count : 0;
  if (length > 0) g_byte_array_append(self->bytes, data, length);
  if (data) XFree(data);
  return length;
}

static void did_answer(GTask *task, const XSelectionEvent *event) {
  Reading *self = g_task_get_task_data(task);
  if (event->property == None) return finish(task, "the other application did not deliver the data");
  Atom type = None;
  take(self, &type);
  self->is_in_parts =
    type == gdk_x11_get_xatom_by_name_for_display(self->display, "INCR");
  if (!self->is_in_parts) finish(task, NULL);
}

static gboolean did_happen(GdkDisplay *display, const XEvent *event, gpointer data) {
  GTask *task = data;
  Reading *self = g_task_get_task_data(task);
  if (event->type == SelectionNotify && event->xselection.requestor == self->window &&
      (event->xselection.property == self->property || event->xselection.property == None)) {
    did_answer(task, &event->xselection);
    return TRUE;
  }
  if (event->type == PropertyNotify && self->is_in_parts &&
      event->xproperty.window == self->window && event->xproperty.atom == self->property &&
      event->xproperty.state == PropertyNewValue) {
    Atom type;
    /* An empty part is the last part. */
    if (take(self, &type) == 0) finish(task, NULL);
    return TRUE;
  }
  return FALSE;
}

static gboolean time_out(gpointer data) {
  Reading *self = g_task_get_task_data(data);
  /* finish() removes the timeout, so it must still exist. */
  self->timeout = g_timeout_add_seconds(timeout_in_seconds, time_out, data);
  finish(data, "the other application does not answer");
  return G_SOURCE_REMOVE;
}

guint32 shelf_x_drop_time(GdkDrop *drop) {
  GdkDisplay *display = gdk_drop_get_display(drop);
  if (!GDK_IS_X11_DISPLAY(display) || gdk_drop_get_drag(drop)) return 0;
  return gdk_x11_display_get_user_time(display);
}

void shelf_x_drop_read_async(GdkDrop *drop, const char *type, guint32 time,
                             GAsyncReadyCallback done, gpointer data) {
  GdkDisplay *display = gdk_drop_get_display(drop);
  GTask *task = g_task_new(drop, NULL, done, data);
  Reading *self = g_new0(Reading, 1);
  self->display = g_object_ref(display);
  self->window = gdk_x11_surface_get_xid(gdk_drop_get_surface(drop));
  self->property = gdk_x11_get_xatom_by_name_for_display(display, "DRAGBOARD_DROP");
  self->bytes = g_byte_array_new();
  self->events = g_signal_connect(display, "xevent", G_CALLBACK(did_happen), task);
  self->timeout = g_timeout_add_seconds(timeout_in_seconds, time_out, task);
  g_task_set_task_data(task, self, reading_free);
  XConvertSelection(server(self),
                    gdk_x11_get_xatom_by_name_for_display(display, "XdndSelection"),
                    gdk_x11_get_xatom_by_name_for_display(display, type), self->property,
                    self->window, time);
}

GBytes *shelf_x_drop_read_finish(GAsyncResult *result, GError **error) {
  return g_task_propagate_pointer(G_TASK(result), error);
}
