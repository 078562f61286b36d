#include "CShelf.h"
#include <X11/Xatom.h>
#include <gdk/x11/gdkx.h>

/* What the other application sees of a drag of this process under X11. GTK has no functions for this:
 * the offered actions depend only on the modifier keys of GTK's choice, a refused drop ends like an
 * accepted one, and a drag has no file name. */

static const char refused_key[] = "shelf-refused", source_key[] = "shelf-source";

/* The drags by their windows. */
static GHashTable *drags;

static Atom atom(GdkDisplay *display, const char *name) {
  return gdk_x11_get_xatom_by_name_for_display(display, name);
}

/* Returns the window of the drag, which owns the selection. */
static Window window_of_drag(GdkDisplay *display) {
  return XGetSelectionOwner(gdk_x11_display_get_xdisplay(display), atom(display, "XdndSelection"));
}

/* Offers only a copy if GTK offers a choice between a copy and a move, which it does while no modifier
 * key is held. File managers would otherwise move files within a file system. */
static void offer_only_copy(GdkDisplay *display, Window window) {
  Display *server = gdk_x11_display_get_xdisplay(display);
  Atom list = atom(display, "XdndActionList"), type, copy = atom(display, "XdndActionCopy");
  int format;
  unsigned long count = 0, rest;
  unsigned char *data = NULL;
  if (XGetWindowProperty(server, window, list, 0, 16, False, XA_ATOM, &type, &format, &count, &rest,
                         &data) != Success)
    return;
  gboolean has_copy = FALSE;
  for (unsigned long index = 0; format == 32 && index < count; index++)
    has_copy |= ((Atom *)(gpointer)data)[index] == copy;
  if (data) XFree(data);
  if (has_copy && count > 1)
    XChangeProperty(server, window, list, XA_ATOM, 32, PropModeReplace, (guchar *)&copy, 1);
}

/* A request of the other application to write a file. */
struct _ShelfSaveRequest {
  GdkDisplay *display;
  XSelectionRequestEvent event;
};

/* The file that another application can ask for. */
typedef struct {
  Window window;
  ShelfSave save;
  gpointer data;
} Source;

static char *address_to_save(GdkDisplay *display, Window window) {
  Atom type;
  int format;
  unsigned long count = 0, rest;
  unsigned char *data = NULL;
  int status = XGetWindowProperty(gdk_x11_display_get_xdisplay(display), window,
                                  atom(display, "XdndDirectSave0"), 0, 4096, False, AnyPropertyType,
                                  &type, &format, &count, &rest, &data);
  char *address =
    g_strndup(status == Success && data && format == 8 ? (const char *)data : "", count);
  if (data) XFree(data);
  return address;
}

void shelf_save_answer(ShelfSaveRequest *request, gboolean is_saved) {
  Display *server = gdk_x11_display_get_xdisplay(request->display);
  XSelectionRequestEvent *event = &request->event;
  const guchar *answer = (const guchar *)(is_saved ? "S" : "E");
  gdk_x11_display_error_trap_push(request->display);
  XChangeProperty(server, event->requestor, event->property, event->target, 8, PropModeReplace,
                  answer, 1);
  XSelectionEvent notify = {
    .type = SelectionNotify,
    .requestor = event->requestor,
    .selection = event->selection,
    .target = event->target,
    .property = event->property,
    .time = event->time,
  };
  XSendEvent(server, event->requestor, False, NoEventMask, (XEvent *)&notify);
  gdk_x11_display_error_trap_pop_ignored(request->display);
  g_object_unref(request->display);
  g_free(request);
}

static void begin_save(GdkDisplay *display, const XSelectionRequestEvent *event, Source *source) {
  ShelfSaveRequest *request = g_new0(ShelfSaveRequest, 1);
  request->display = g_object_ref(display);
  request->event = *event;
  g_autofree char *address = address_to_save(display, source->window);
  source->save(address, request, source->data);
}

/* Returns the drag of a window; NULL for other windows. */
static gpointer drag_of(Window window) {
  return g_hash_table_lookup(drags, GSIZE_TO_POINTER(window));
}

/* The events are handled before GTK handles them: GTK answers only requests for types with a slash, and
 * ends the drag when it is finished. */
static gboolean did_happen(GdkDisplay *display, const XEvent *event) {
  gpointer drag;
  switch (event->type) {
    case SelectionRequest:
      if (event->xselectionrequest.target != atom(display, "XdndDirectSave0") ||
          event->xselectionrequest.property == None ||
          !(drag = drag_of(event->xselectionrequest.owner)))
        return FALSE;
      begin_save(display, &event->xselectionrequest, g_object_get_data(drag, source_key));
      return TRUE;
    case PropertyNotify:
      if (event->xproperty.atom == atom(display, "XdndActionList") &&
          event->xproperty.state == PropertyNewValue && drag_of(event->xproperty.window))
        offer_only_copy(display, event->xproperty.window);
      return FALSE;
    case ClientMessage:
      if (event->xclient.message_type == atom(display, "XdndFinished") &&
          !(event->xclient.data.l[1] & 1) && (drag = drag_of(event->xclient.window)))
        g_object_set_data(drag, refused_key, GINT_TO_POINTER(TRUE));
      return FALSE;
    default: return FALSE;
  }
}

static void did_finalize(gpointer window, GObject *drag) { g_hash_table_remove(drags, window); }

void shelf_x_drag_watch(GdkDisplay *display) {
  if (!GDK_IS_X11_DISPLAY(display) || drags) return;
  drags = g_hash_table_new(NULL, NULL);
  g_signal_connect(display, "xevent", G_CALLBACK(did_happen), NULL);
}

void shelf_x_drag_begin(GdkDrag *drag, const char *file_name, ShelfSave save, gpointer data) {
  GdkDisplay *display = gdk_drag_get_display(drag);
  if (!GDK_IS_X11_DISPLAY(display)) return;
  shelf_x_drag_watch(display);
  Display *server = gdk_x11_display_get_xdisplay(display);
  Window window = window_of_drag(display);
  gdk_x11_display_error_trap_push(display);
  XWindowAttributes attributes;
  if (XGetWindowAttributes(server, window, &attributes))
    XSelectInput(server, window, attributes.your_event_mask | PropertyChangeMask);
  if (file_name)
    XChangeProperty(server, window, atom(display, "XdndDirectSave0"), atom(display, "text/plain"), 8,
                    PropModeReplace, (const guchar *)file_name, (int)strlen(file_name));
  offer_only_copy(display, window);
  gdk_x11_display_error_trap_pop_ignored(display);
  Source *source = g_new0(Source, 1);
  *source = (Source){window, save, data};
  g_object_set_data_full(G_OBJECT(drag), source_key, source, g_free);
  g_hash_table_insert(drags, GSIZE_TO_POINTER(window), drag);
  g_object_weak_ref(G_OBJECT(drag), did_finalize, GSIZE_TO_POINTER(window));
}

gboolean shelf_x_drag_was_refused(GdkDrag *drag) {
  return g_object_get_data(G_OBJECT(drag), refused_key) != NULL;
}
